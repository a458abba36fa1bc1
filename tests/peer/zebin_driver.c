/* Loads a native module through the Level Zero loader and says what the driver makes of it: one line for each kernel,
 *   name arguments simd local-memory private spill group-x group-y group-z
 * then for each variable named behind the file
 *   name bytes
 * or one line that starts with "error". Needs a driver that finds a device. */
#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>

static void check(const char *call, ze_result_t result) {
  if (result != ZE_RESULT_SUCCESS) {
    printf("error %s 0x%x\n", call, (unsigned)result);
    exit(1);
  }
}

static void print_log(ze_module_build_log_handle_t log) {
  size_t size = 0;
  if (zeModuleBuildLogGetString(log, &size, NULL) != ZE_RESULT_SUCCESS || size == 0)
    return;
  char *text = malloc(size);
  if (zeModuleBuildLogGetString(log, &size, text) == ZE_RESULT_SUCCESS)
    fprintf(stderr, "%s\n", text);
  free(text);
}

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(2);
  }
  *size = (size_t)ftell(file);
  rewind(file);
  void *data = malloc(*size);
  if (fread(data, 1, *size, file) != *size) {
    perror(path);
    exit(2);
  }
  fclose(file);
  return data;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE [VARIABLE ...]\n", argv[0]);
    return 2;
  }
  check("zeInit", zeInit(ZE_INIT_FLAG_GPU_ONLY));
  uint32_t count = 1;
  ze_driver_handle_t driver;
  check("zeDriverGet", zeDriverGet(&count, &driver));
  ze_device_handle_t device;
  count = 1;
  check("zeDeviceGet", zeDeviceGet(driver, &count, &device));
  ze_context_desc_t context_desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t context;
  check("zeContextCreate", zeContextCreate(driver, &context_desc, &context));

  size_t size;
  ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .format = ZE_MODULE_FORMAT_NATIVE};
  desc.pInputModule = read_file(argv[1], &size);
  desc.inputSize = size;
  ze_module_handle_t module;
  ze_module_build_log_handle_t log = NULL;
  ze_result_t created = zeModuleCreate(context, device, &desc, &module, &log);
  if (log != NULL)
    print_log(log);
  check("zeModuleCreate", created);

  uint32_t kernels = 0;
  check("zeModuleGetKernelNames", zeModuleGetKernelNames(module, &kernels, NULL));
  const char **names = calloc(kernels, sizeof *names);
  check("zeModuleGetKernelNames", zeModuleGetKernelNames(module, &kernels, names));
  for (uint32_t i = 0; i < kernels; ++i) {
    ze_kernel_desc_t kernel_desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = names[i]};
    ze_kernel_handle_t kernel;
    check("zeKernelCreate", zeKernelCreate(module, &kernel_desc, &kernel));
    ze_kernel_properties_t p = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    check("zeKernelGetProperties", zeKernelGetProperties(kernel, &p));
    printf("%s %u %u %u %u %u %u %u %u\n", names[i], p.numKernelArgs, p.maxSubgroupSize, p.localMemSize,
           p.privateMemSize, p.spillMemSize, p.requiredGroupSizeX, p.requiredGroupSizeY, p.requiredGroupSizeZ);
  }
  for (int i = 2; i < argc; ++i) {
    size_t bytes = 0;
    void *address = NULL;
    check("zeModuleGetGlobalPointer", zeModuleGetGlobalPointer(module, argv[i], &bytes, &address));
    printf("%s %zu\n", argv[i], bytes);
  }
  return 0;
}
