// The part of the driver that a Level Zero loader loads. It fills the loader's tables without Python; the first call of
// a program starts Python, or joins the one that the program has, and each call enters it with its arguments as words.
//
// Nothing of Python is linked: its symbols are looked up when they are needed, so that one library serves programs with
// and without Python. build.py defines PYTHON_LIBRARY, PYTHON_PROGRAM, PACKAGES and VERSION for the Python that compiled
// this file, and STAND_IN for the library that stands in for the loader and exports the functions themselves.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#ifdef STAND_IN
#define API EXPORT
#else
#define API static
#endif

enum {
    UNINITIALIZED = 0x78000001,
    UNSUPPORTED_VERSION = 0x78000002,
    UNSUPPORTED_FEATURE = 0x78000003,
    INVALID_NULL_POINTER = 0x78000007,
    UNKNOWN = 0x7ffffffe,
};

// Structures that are passed by value: three numbers, a thread or a UUID, and an opaque handle.
struct bytes12 { uint32_t number[3]; };
struct bytes16 { uint32_t number[4]; };
struct bytes64 { char byte[64]; };

// Enters Python with the arguments of a function; returns its result, or `failure` where Python cannot be entered.
static uint64_t enter(int number, const uint64_t *words, int count, uint64_t failure);

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// Tables --------------------------------------------------------------------------------------------------------------

struct slot {
    void *function;  // null where the driver lacks it: the loader answers for it
    uint32_t since;
};

static uint32_t fill(uint32_t version, void **table, const struct slot *slots, int count)
{
    if (!table)
        return INVALID_NULL_POINTER;
    if (version >> 16 != 1)
        return UNSUPPORTED_VERSION;
    for (int index = 0; index < count; index++)  // the table of an older loader ends earlier
        if (slots[index].since <= version)
            table[index] = slots[index].function;
    return 0;
}

static uint32_t refuse(void) { return UNSUPPORTED_FEATURE; }

#include "stubs.c"
#ifdef STAND_IN
#include "loader.c"
#endif

// Python --------------------------------------------------------------------------------------------------------------

typedef struct object object;

#define PYTHON(each) \
    each(int, Py_IsInitialized, (void)) \
    each(void, Py_InitializeEx, (int)) \
    each(void, Py_SetProgramName, (const wchar_t *)) \
    each(wchar_t *, Py_DecodeLocale, (const char *, size_t *)) \
    each(const char *, Py_GetVersion, (void)) \
    each(int, PyGILState_Ensure, (void)) \
    each(void, PyGILState_Release, (int)) \
    each(void *, PyGILState_GetThisThreadState, (void)) \
    each(void *, PyEval_SaveThread, (void)) \
    each(void, PyEval_RestoreThread, (void *)) \
    each(void, PyThreadState_Clear, (void *)) \
    each(void, PyThreadState_DeleteCurrent, (void)) \
    each(void, PyOS_BeforeFork, (void)) \
    each(void, PyOS_AfterFork_Parent, (void)) \
    each(void, PyOS_AfterFork_Child, (void)) \
    each(int, PyRun_SimpleString, (const char *)) \
    each(object *, PyImport_ImportModule, (const char *)) \
    each(object *, PyObject_CallMethod, (object *, const char *, const char *, ...)) \
    each(object *, PyObject_Vectorcall, (object *, object *const *, size_t, object *)) \
    each(object *, PyList_GetItem, (object *, intptr_t)) \
    each(object *, PyLong_FromUnsignedLongLong, (unsigned long long)) \
    each(unsigned long long, PyLong_AsUnsignedLongLong, (object *)) \
    each(object *, PyErr_Occurred, (void)) \
    each(void, PyErr_Clear, (void)) \
    each(void, PyErr_Print, (void)) \
    each(void, Py_DecRef, (object *))

#define DECLARE(result, name, parameters) static result (*name) parameters;
PYTHON(DECLARE)

static int (*is_finalizing)(void);

static int find_symbols(void *library)
{
    int found = 1;
#define FIND(result, name, parameters) found &= (*(void **)&name = dlsym(library, #name)) != 0;
    PYTHON(FIND)
    *(void **)&is_finalizing = dlsym(library, "Py_IsFinalizing");  // since 3.13
    if (!is_finalizing)
        *(void **)&is_finalizing = dlsym(library, "_Py_IsFinalizing");
    return found;
}

static object *callables;     // a list of one callable per function
static volatile int usable;   // Python can be entered
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_state;
static __thread int known;    // this thread has a state of Python that lasts

// Python is being finalized, or was, by the program that it belongs to; functions that the program has for its end, which
// come first, still can call.
static int is_gone(void)
{
    return !Py_IsInitialized() || (is_finalizing && is_finalizing());
}

static void note(const char *text)
{
    const char *path = getenv("XEGPU_DRIVER_LOG");
    if (!path || !*path)
        return;
    FILE *log = strcmp(path, "-") ? fopen(path, "a") : stderr;
    if (!log)
        return;
    fprintf(log, "xegpu driver: %s\n", text);
    if (log != stderr)
        fclose(log);
}

// A thread that we made a state for ends: glibc has forgotten which one it was, so it was stored.
static void end_thread(void *state)
{
    if (!usable || is_gone())
        return;
    PyEval_RestoreThread(state);
    PyThreadState_Clear(state);
    PyThreadState_DeleteCurrent();
}

static int fork_state;

static void before_fork(void)
{
    fork_state = PyGILState_Ensure();
    PyOS_BeforeFork();
}

static void after_fork_in_parent(void)
{
    PyOS_AfterFork_Parent();
    PyGILState_Release(fork_state);
}

static void after_fork_in_child(void)
{
    PyOS_AfterFork_Child();
    PyGILState_Release(fork_state);
}

// A program exits whose Python is ours: it is not finalized, as destructors and other threads may still call.
static void at_exit(void)
{
    int state = PyGILState_Ensure();
    object *entry = PyImport_ImportModule("runtime.driver.entry");
    object *ended = entry ? PyObject_CallMethod(entry, "end", 0) : 0;
    if (!ended)
        PyErr_Clear();
    PyGILState_Release(state);
}

static int import(int joined)
{
    // Behind the program's own packages; those of another version of Python are not for this one.
    if (PyRun_SimpleString("import sys\n"
                           "if sys.version_info[:2] == (" VERSION "):\n"
                           "    sys.path.extend(path for path in (" PACKAGES ") if path not in sys.path)\n"))
        return 0;
    object *entry = PyImport_ImportModule("runtime.driver.entry");
    callables = entry ? PyObject_CallMethod(entry, "begin", "sKKi", NAMES, (unsigned long long)STUBS,
                                            (unsigned long long)HANDLE_HEAD, joined)
                      : 0;
    if (callables)
        return 1;
    const char *path = getenv("XEGPU_DRIVER_LOG");
    if (path && !strcmp(path, "-"))
        PyErr_Print();
    PyErr_Clear();
    return 0;
}

static void start(void)
{
    int (*is_initialized)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    int joined = is_initialized && is_initialized();
    if (joined) {
        if (!find_symbols(RTLD_DEFAULT)) {
            note("the program's Python lacks a function that is needed");
            return;
        }
    } else {
        // Global, as extension modules such as numpy's find Python's symbols only then.
        const char *path = getenv("XEGPU_DRIVER_PYTHON");
        void *library = dlopen(path && *path ? path : PYTHON_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
        if (!library || !find_symbols(library)) {
            note(library ? "the Python library lacks a function that is needed" : dlerror());
            return;
        }
        char *locale = setlocale(LC_ALL, 0);
        locale = locale ? strdup(locale) : 0;
        struct sigaction interrupt;
        sigaction(SIGINT, 0, &interrupt);
        Py_SetProgramName(Py_DecodeLocale(PYTHON_PROGRAM, 0));
        Py_InitializeEx(0);                  // without handlers of signals,
        PyRun_SimpleString("import signal");  // of which this module installs one
        sigaction(SIGINT, &interrupt, 0);
        if (locale)
            setlocale(LC_ALL, locale);
        free(locale);
    }
    int state = joined ? PyGILState_Ensure() : 0;
    int imported = import(joined);
    if (!imported)
        note("the package of the driver cannot be imported");
    if (joined)
        PyGILState_Release(state);
    else
        PyEval_SaveThread();
    if (!imported || pthread_key_create(&thread_state, end_thread))
        return;
    if (!joined) {
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
        atexit(at_exit);
    }
    usable = 1;
}

enum { MOST_WORDS = 16 };

static uint64_t enter(int number, const uint64_t *words, int count, uint64_t failure)
{
    if (!usable)
        pthread_once(&once, start);
    if (!usable || is_gone())
        return failure;
    int is_new = !known && !PyGILState_GetThisThreadState();
    int state = PyGILState_Ensure();
    if (!known) {
        known = 1;
        if (is_new) {  // a thread of the program keeps its state, which makes each call fast and keeps its variables
            PyGILState_Ensure();
            pthread_setspecific(thread_state, PyGILState_GetThisThreadState());
        }
    }
    object *arguments[MOST_WORDS];
    for (int index = 0; index < count; index++)
        arguments[index] = PyLong_FromUnsignedLongLong(words[index]);
    object *answer = PyObject_Vectorcall(PyList_GetItem(callables, number), arguments, (size_t)count, 0);
    for (int index = 0; index < count; index++)
        Py_DecRef(arguments[index]);
    uint64_t result = failure ? UNKNOWN : 0;
    if (answer) {
        result = PyLong_AsUnsignedLongLong(answer);
        Py_DecRef(answer);
    }
    if (PyErr_Occurred())
        PyErr_Clear();
    PyGILState_Release(state);
    return result;
}
