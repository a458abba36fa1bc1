// A program and its debugger: two processes. The kernel waits for a number that only the debugger gives it.
#include "client.h"
#include <elf.h>
#include <level_zero/zet_api.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 20000, GRF = 1, CONTROL = 6, REGISTERS = 128 * 64 };

static const ze_device_thread_t ALL = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

// What the program tells the debugger: a place that holds 0, one that holds a number, and one for the result.
struct places {
    int *zero, *number, *result;
};

// Runs the kernel, and returns the result.
static int program(const char *path, int told)
{
    begin();
    struct places places = {shared(64), shared(64), shared(64)};
    *places.zero = 0;
    *places.number = 42;
    CHECK(write(told, &places, sizeof places) == sizeof places);
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_module_handle_t module = load(path);
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "await"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &desc, &kernel));
    OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
    OK(zeKernelSetArgumentValue(kernel, 0, sizeof places.zero, &places.zero));
    OK(zeKernelSetArgumentValue(kernel, 1, sizeof places.result, &places.result));
    ze_group_count_t groups = {1, 1, 1};
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
    OK(zeKernelDestroy(kernel));
    OK(zeModuleDestroy(module));
    OK(zeCommandListDestroy(list));
    return *places.result;
}

static zet_debug_session_handle_t session;

static zet_debug_event_t event(zet_debug_event_type_t expected)
{
    zet_debug_event_t found;
    OK(zetDebugReadEvent(session, PATIENCE, &found));
    EXPECT(expected, found.type);
    return found;
}

static zet_debug_memory_space_desc_t at(const void *address)
{
    zet_debug_memory_space_desc_t desc = {ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC};
    desc.address = (uint64_t)address;
    return desc;
}

// The address of a kernel's code, as the image of its module says.
static uint64_t code_of(const zet_debug_event_info_module_t *module, const char *section)
{
    size_t size = module->moduleEnd - module->moduleBegin;
    char *image = malloc(size + 1);
    image[size] = 99;
    zet_debug_memory_space_desc_t desc = at((void *)module->moduleBegin);
    OK(zetDebugReadMemory(session, ALL, &desc, size, image));
    CHECK(image[size] == 99 && !memcmp(image, ELFMAG, SELFMAG));
    const Elf64_Ehdr *head = (void *)image;
    const Elf64_Shdr *sections = (void *)(image + head->e_shoff);
    const char *names = image + sections[head->e_shstrndx].sh_offset;
    uint64_t found = 0;
    for (int index = 0; index < head->e_shnum; index++)
        if (!strcmp(names + sections[index].sh_name, section))
            found = sections[index].sh_addr;
    CHECK(found >= module->load);
    free(image);
    return found;
}

// Resumes a thread behind the breakpoint at which it has stopped.
static void resume(ze_device_thread_t thread, int steps)
{
    uint32_t control[4];
    OK(zetDebugReadRegisters(session, thread, CONTROL, 0, 1, control));
    control[0] |= 1u << 15;
    control[1] = (uint32_t)steps << 31;
    OK(zetDebugWriteRegisters(session, thread, CONTROL, 0, 1, control));
    OK(zetDebugResume(session, thread));
}

static uint32_t instruction_of(ze_device_thread_t thread)
{
    uint32_t control[4];
    OK(zetDebugReadRegisters(session, thread, CONTROL, 0, 1, control));
    return control[2];
}

// The register sets of a thread, of which the header of the system knows nothing.
static void register_sets(ze_device_thread_t thread)
{
    ze_result_t (*get)(zet_debug_session_handle_t, ze_device_thread_t, uint32_t *, zet_debug_regset_properties_t *);
    OK(zeDriverGetExtensionFunctionAddress(driver, "zetDebugGetThreadRegisterSetProperties", (void **)&get));
    uint32_t count = 0, few = 1;
    OK(get(session, thread, &count, 0));
    CHECK(count > 1 && count < 32);
    zet_debug_regset_properties_t sets[32] = {{ZET_STRUCTURE_TYPE_DEBUG_REGSET_PROPERTIES}};
    OK(get(session, thread, &few, sets));
    CHECK(few == 1 && sets[0].type == GRF && sets[0].count * sets[0].byteSize == REGISTERS && !sets[1].count);
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, get(session, thread, 0, 0));
    EXPECT(ZE_RESULT_ERROR_NOT_AVAILABLE, get(session, (ze_device_thread_t){9, 9, 9, 9}, &count, 0));
}

// What is missing or wrong is refused before and while a thread is stopped.
static void mistakes(ze_device_thread_t thread)
{
    static char data[REGISTERS];
    zet_debug_memory_space_desc_t desc = at(data), unknown = at(data);
    unknown.type = (zet_debug_memory_space_type_t)7;
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugReadMemory(session, thread, 0, 4, data));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugReadMemory(session, thread, &desc, 4, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugWriteMemory(session, thread, &desc, 4, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zetDebugReadMemory(session, thread, &unknown, 4, data));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zetDebugReadMemory(session, thread, &desc, 4, data));  // not of the program
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugWriteRegisters(session, thread, GRF, 0, 1, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugReadEvent(session, 0, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zetDebugReadEvent(0, 0, (zet_debug_event_t *)data));
    EXPECT(ZE_RESULT_NOT_READY, zetDebugReadEvent(session, 0, (zet_debug_event_t *)data));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugAcknowledgeEvent(session, 0));
    ze_device_thread_t other = {thread.slice + 1, thread.subslice, thread.eu, thread.thread};
    EXPECT(ZE_RESULT_ERROR_NOT_AVAILABLE, zetDebugReadRegisters(session, other, GRF, 0, 1, data));
    EXPECT(ZE_RESULT_ERROR_NOT_AVAILABLE, zetDebugResume(session, other));
}

// Stops the loop, and lets it read its number somewhere else.
static void redirect(ze_device_thread_t thread, struct places places)
{
    static uint8_t registers[REGISTERS + 1];
    registers[REGISTERS] = 99;
    OK(zetDebugReadRegisters(session, thread, GRF, 0, 128, registers));
    CHECK(registers[REGISTERS] == 99);
    int found = 0;
    for (int index = 0; index < REGISTERS; index += 8)
        if (!memcmp(registers + index, &places.zero, 8)) {
            memcpy(registers + index, &places.number, 8);
            found++;
        }
    CHECK(found);
    OK(zetDebugWriteRegisters(session, thread, GRF, 0, 128, registers));
    zet_debug_memory_space_desc_t desc = at(places.number);
    int number = 0;
    OK(zetDebugReadMemory(session, thread, &desc, sizeof number, &number));
    CHECK(number == 42);
    number = 7;
    OK(zetDebugWriteMemory(session, thread, &desc, sizeof number, &number));
    // The same by parts: a register behind the first.
    uint8_t part[64];
    OK(zetDebugReadRegisters(session, thread, GRF, 3, 1, part));
    CHECK(!memcmp(part, registers + 3 * 64, 64));
}

// Attaches to the program, as soon as that is ready.
static void attach(pid_t pid)
{
    zet_debug_config_t config = {(uint32_t)pid};
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugAttach(device, 0, &session));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetDebugAttach(device, &config, 0));
    ze_result_t result = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    for (int tries = 0; result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE && tries < PATIENCE; tries++) {
        result = zetDebugAttach(device, &config, &session);
        usleep(1000);
    }
    OK(result);
    zet_debug_session_handle_t second;
    EXPECT(ZE_RESULT_ERROR_NOT_AVAILABLE, zetDebugAttach(device, &config, &second));
}

static void debug(int told)
{
    event(ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY);
    zet_debug_event_t loaded = event(ZET_DEBUG_EVENT_TYPE_MODULE_LOAD);
    CHECK(loaded.flags == ZET_DEBUG_EVENT_FLAG_NEED_ACK);
    CHECK(loaded.info.module.format == ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF);
    uint64_t code = code_of(&loaded.info.module, ".text.await") + 16;  // behind the header
    zet_debug_memory_space_desc_t place = at((void *)code);
    uint8_t breakpoint = 0xff, original;
    OK(zetDebugReadMemory(session, ALL, &place, 1, &original));
    OK(zetDebugWriteMemory(session, ALL, &place, 1, &breakpoint));
    OK(zetDebugAcknowledgeEvent(session, &loaded));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zetDebugAcknowledgeEvent(session, &loaded));

    ze_device_thread_t thread = event(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED).info.thread.thread;
    uint32_t first = instruction_of(thread);
    CHECK(first == code - loaded.info.module.load);
    OK(zetDebugWriteMemory(session, ALL, &place, 1, &original));
    register_sets(thread);
    mistakes(thread);
    resume(thread, 1);
    zet_debug_event_t stepped = event(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
    CHECK(!memcmp(&stepped.info.thread.thread, &thread, sizeof thread));
    CHECK(instruction_of(thread) == first + 16);

    resume(thread, 0);
    OK(zetDebugInterrupt(session, ALL));
    zet_debug_event_t stopped = event(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
    CHECK(!memcmp(&stopped.info.thread.thread, &ALL, sizeof ALL));
    EXPECT(ZE_RESULT_ERROR_NOT_AVAILABLE, zetDebugInterrupt(session, ALL));
    struct places places;
    CHECK(read(told, &places, sizeof places) == sizeof places);
    redirect(thread, places);
    OK(zetDebugResume(session, ALL));

    zet_debug_event_t unloaded = event(ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD);
    CHECK(unloaded.info.module.load == loaded.info.module.load);
    event(ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT);
    CHECK(event(ZET_DEBUG_EVENT_TYPE_DETACHED).info.detached.reason == ZET_DEBUG_DETACH_REASON_HOST_EXIT);
    EXPECT(ZE_RESULT_ERROR_NOT_AVAILABLE, zetDebugResume(session, ALL));
    OK(zetDebugDetach(session));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zetDebugDetach(session));
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    int told[2];
    CHECK(!pipe(told));
    pid_t pid = fork();
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("ZET_ENABLE_PROGRAM_DEBUGGING", "1", 1);
        setenv("XEGPU_WAIT_FOR_DEBUGGER", "30", 1);
        exit(program(arguments[1], told[1]));
    }
    close(told[1]);
    begin();
    attach(pid);
    debug(told[0]);
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    puts("done");
    return 0;
}
