// The loader's own functions, for programs whose loader this library stands in for.

struct component_version {
    char name[64];
    uint32_t specification;
    int32_t major, minor, patch;
};

EXPORT uint32_t zelLoaderGetVersions(size_t *count, struct component_version *versions)
{
    if (!count)
        return INVALID_NULL_POINTER;
    if (versions && *count)
        *versions = (struct component_version){"loader", NEWEST_VERSION, 1, NEWEST_VERSION & 0xffff, 0};
    *count = 1;
    return 0;
}

EXPORT uint32_t zelLoaderGetVersionsInternal(size_t *count, struct component_version *versions)
{
    return zelLoaderGetVersions(count, versions);
}

// What a loader that is linked statically asks of the one that it finds. There is no tracing layer: its tables stay
// empty.
EXPORT uint32_t zeLoaderInit(void) { return 0; }
EXPORT void *zeLoaderGetTracingHandle(void) { return 0; }
EXPORT void *zelLoaderGetContext(void) { return 0; }
EXPORT uint32_t zelLoaderTracingLayerInit(void) { return 0; }
EXPORT uint32_t zelGetTracerApiProcAddrTable(void) { return 0; }

// A program and its loader tell each other that they end; this one never does.
static void ends(uint32_t index) { (void)index; }

EXPORT uint32_t zelRegisterTeardownCallback(void (*of_loader)(void), void (**of_program)(uint32_t), uint32_t *index)
{
    (void)of_loader;
    if (!of_program || !index)
        return INVALID_NULL_POINTER;
    *of_program = ends;
    *index = 0;
    return 0;
}

EXPORT void zelLoaderContextTeardown(void) {}
EXPORT void zelSetDelayLoaderContextTeardown(void) {}
EXPORT uint32_t zelLoaderDriverCheck(void) { return 0; }

// Handles are the driver's own.
EXPORT uint32_t zelLoaderTranslateHandle(int type, void *from, void **to)
{
    (void)type;
    if (!to)
        return INVALID_NULL_POINTER;
    *to = from;
    return 0;
}

EXPORT uint32_t zelLoaderTranslateHandleInternal(int type, void *from, void **to)
{
    return zelLoaderTranslateHandle(type, from, to);
}

EXPORT uint32_t zelSetDriverTeardown(void) { return 0; }
EXPORT uint32_t zelEnableTracingLayer(void) { return UNSUPPORTED_FEATURE; }
EXPORT uint32_t zelDisableTracingLayer(void) { return UNSUPPORTED_FEATURE; }
EXPORT uint32_t zelCheckIsLoaderInTearDown(void) { return 0; }

EXPORT uint32_t zelGetTracingLayerState(uint8_t *enabled)
{
    if (!enabled)
        return INVALID_NULL_POINTER;
    *enabled = 0;
    return 0;
}
