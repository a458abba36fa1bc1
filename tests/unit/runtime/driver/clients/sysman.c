// Calls every function of system management on each card, and prints each result with the bytes of the answer. Functions
// that are newer than the system's headers are looked up. With `cast`, cards are the devices of the core API.
#define _GNU_SOURCE
#include "client.h"
#include <dlfcn.h>
#include <level_zero/zes_api.h>

static void show(const char *name, unsigned result, const char *type, const void *data, size_t size)
{
    printf("%s %u %s ", name, result, type);
    for (size_t index = 0; !result && index < size; index++)
        printf("%02x", ((const unsigned char *)data)[index]);
    printf("\n");
}

#define CALL(function, ...) show(#function, function(__VA_ARGS__), "-", 0, 0)

// One answer, behind the arguments.
#define ANSWER(type, function, ...) \
    do { \
        type value_; \
        memset(&value_, 0, sizeof value_); \
        show(#function, function(__VA_ARGS__, &value_), #type, &value_, sizeof value_); \
    } while (0)

// An array whose length is asked for first, behind one argument.
#define ARRAY(type, function, handle) \
    do { \
        uint32_t count_ = 0; \
        type *all_ = calloc(64, sizeof *all_); \
        show(#function, function(handle, &count_, 0), "uint32_t", &count_, sizeof count_); \
        count_ = 64; \
        unsigned result_ = function(handle, &count_, all_); \
        show(#function, result_, #type, all_, count_ * sizeof *all_); \
        free(all_); \
    } while (0)

// All components of a kind, with a line for each; null in place of them if there are none.
#define EACH(type, function) \
    type all_[32] = {0}; \
    uint32_t count_ = 32; \
    unsigned result_ = function(card, &count_, all_); \
    show(#function, result_, "uint32_t", &count_, sizeof count_); \
    for (uint32_t index_ = 0; index_ < count_ || !index_; index_++) \
        for (type each = all_[index_], *once_ = &each; once_ && printf("component 0 - \n"); once_ = 0)

// A function that the headers lack: its handle and its other parameters.
#define NEW(name, ...) \
    ze_result_t (*name)(__VA_ARGS__) = (ze_result_t(*)(__VA_ARGS__))dlsym(RTLD_DEFAULT, #name); \
    if (name)

typedef struct { uint8_t id[16]; } uuid;
typedef struct { uint64_t words[64]; } answer;
typedef struct { zes_structure_type_t stype; void *pNext; uint32_t category; uint64_t value; } category_value;
typedef struct { zes_structure_type_t stype; void *pNext; ze_bool_t force; uint32_t type; } reset;

// A structure that the headers lack, which is as long as its name says.
#define NEWER(type, bytes, function, ...) \
    do { \
        answer value_ = {{0}}; \
        show(#function, function(__VA_ARGS__, (void *)&value_), type, &value_, bytes); \
    } while (0)

static void card_itself(zes_device_handle_t card)
{
    ANSWER(zes_device_properties_t, zesDeviceGetProperties, card);
    ANSWER(zes_device_state_t, zesDeviceGetState, card);
    ARRAY(zes_process_state_t, zesDeviceProcessesGetState, card);
    ANSWER(zes_pci_properties_t, zesDevicePciGetProperties, card);
    ANSWER(zes_pci_state_t, zesDevicePciGetState, card);
    ARRAY(zes_pci_bar_properties_t, zesDevicePciGetBars, card);
    ANSWER(zes_pci_stats_t, zesDevicePciGetStats, card);
    zes_pci_bar_properties_1_2_t newer = {ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES_1_2};
    zes_pci_bar_properties_t bar = {ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES, &newer};
    uint32_t one = 1;
    OK(zesDevicePciGetBars(card, &one, &bar));
    CHECK(one == 1 && newer.size == bar.size && newer.base == bar.base && bar.pNext == &newer);
    ANSWER(ze_bool_t, zesDeviceEccAvailable, card);
    ANSWER(ze_bool_t, zesDeviceEccConfigurable, card);
    ANSWER(zes_device_ecc_properties_t, zesDeviceGetEccState, card);
    zes_device_ecc_desc_t off = {ZES_STRUCTURE_TYPE_DEVICE_ECC_DESC, 0, ZES_DEVICE_ECC_STATE_DISABLED};
    ANSWER(zes_device_ecc_properties_t, zesDeviceSetEccState, card, &off);
    CALL(zesDeviceEventRegister, card, ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED);
    CALL(zesDeviceReset, card, 1);
    NEW(zesDeviceResetExt, zes_device_handle_t, reset *) CALL(zesDeviceResetExt, card, &(reset){0x2c, 0, 1, 2});
    NEW(zesDevicePciLinkSpeedUpdateExt, zes_device_handle_t, ze_bool_t, uint32_t *)
        ANSWER(uint32_t, zesDevicePciLinkSpeedUpdateExt, card, 0);
    NEW(zesDeviceGetSubDevicePropertiesExp, zes_device_handle_t, uint32_t *, void *)
    {
        uint32_t tiles = 0;
        OK(zesDeviceGetSubDevicePropertiesExp(card, &tiles, 0));
        NEWER("zes_subdevice_exp_properties_t", tiles * 40, zesDeviceGetSubDevicePropertiesExp, card, &tiles);
    }
    NEW(zesDeviceSetOverclockWaiver, zes_device_handle_t) CALL(zesDeviceSetOverclockWaiver, card);
    NEW(zesDeviceGetOverclockDomains, zes_device_handle_t, uint32_t *)
        ANSWER(uint32_t, zesDeviceGetOverclockDomains, card);
    NEW(zesDeviceGetOverclockControls, zes_device_handle_t, uint32_t, uint32_t *)
        ANSWER(uint32_t, zesDeviceGetOverclockControls, card, 1);
    NEW(zesDeviceResetOverclockSettings, zes_device_handle_t, ze_bool_t) CALL(zesDeviceResetOverclockSettings, card, 1);
    NEW(zesDeviceReadOverclockState, zes_device_handle_t, void *, void *, void *, void *, void *)
    {
        answer five[5];
        CALL(zesDeviceReadOverclockState, card, five, five + 1, five + 2, five + 3, five + 4);
    }
}

static void schedulers(zes_device_handle_t card)
{
    EACH(zes_sched_handle_t, zesDeviceEnumSchedulers)
    {
        ANSWER(zes_sched_properties_t, zesSchedulerGetProperties, each);
        ANSWER(zes_sched_mode_t, zesSchedulerGetCurrentMode, each);
        zes_sched_timeout_properties_t timeout = {ZES_STRUCTURE_TYPE_SCHED_TIMEOUT_PROPERTIES, 0, 5000};
        zes_sched_timeslice_properties_t slice = {ZES_STRUCTURE_TYPE_SCHED_TIMESLICE_PROPERTIES, 0, 10, 20};
        ANSWER(ze_bool_t, zesSchedulerSetTimeoutMode, each, &timeout);
        ANSWER(zes_sched_timeout_properties_t, zesSchedulerGetTimeoutModeProperties, each, 0);
        ANSWER(zes_sched_timeout_properties_t, zesSchedulerGetTimeoutModeProperties, each, 1);
        ANSWER(ze_bool_t, zesSchedulerSetTimesliceMode, each, &slice);
        ANSWER(zes_sched_timeslice_properties_t, zesSchedulerGetTimesliceModeProperties, each, 0);
        ANSWER(ze_bool_t, zesSchedulerSetExclusiveMode, each);
        ANSWER(ze_bool_t, zesSchedulerSetComputeUnitDebugMode, each);
        ANSWER(zes_sched_mode_t, zesSchedulerGetCurrentMode, each);
    }
}

static void engines(zes_device_handle_t card)
{
    NEW(zesEngineGetActivityExt, zes_engine_handle_t, uint32_t *, zes_engine_stats_t *);
    EACH(zes_engine_handle_t, zesDeviceEnumEngineGroups)
    {
        ANSWER(zes_engine_properties_t, zesEngineGetProperties, each);
        ANSWER(zes_engine_stats_t, zesEngineGetActivity, each);
        if (zesEngineGetActivityExt)
            ARRAY(zes_engine_stats_t, zesEngineGetActivityExt, each);
    }
}

static void factors(zes_device_handle_t card)
{
    EACH(zes_perf_handle_t, zesDeviceEnumPerformanceFactorDomains)
    {
        ANSWER(zes_perf_properties_t, zesPerformanceFactorGetProperties, each);
        CALL(zesPerformanceFactorSetConfig, each, 62.5);
        CALL(zesPerformanceFactorSetConfig, each, -1.0);
        ANSWER(double, zesPerformanceFactorGetConfig, each);
    }
}

static void standby(zes_device_handle_t card)
{
    EACH(zes_standby_handle_t, zesDeviceEnumStandbyDomains)
    {
        ANSWER(zes_standby_properties_t, zesStandbyGetProperties, each);
        CALL(zesStandbySetMode, each, ZES_STANDBY_PROMO_MODE_NEVER);
        ANSWER(zes_standby_promo_mode_t, zesStandbyGetMode, each);
    }
}

static void powers(zes_device_handle_t card)
{
    zes_pwr_handle_t of_card = 0;
    CALL(zesDeviceGetCardPowerDomain, card, &of_card);
    NEW(zesPowerGetUsage, zes_pwr_handle_t, uint32_t *, uint32_t *);
    NEW(zesPowerGetLimitsExt2, zes_pwr_handle_t, uint32_t *);
    NEW(zesPowerSetLimitsExt2, zes_pwr_handle_t, uint32_t);
    EACH(zes_pwr_handle_t, zesDeviceEnumPowerDomains)
    {
        zes_power_limit_ext_desc_t limit = {ZES_STRUCTURE_TYPE_POWER_LIMIT_EXT_DESC};
        zes_power_ext_properties_t domain = {ZES_STRUCTURE_TYPE_POWER_EXT_PROPERTIES, 0, 0, &limit};
        zes_power_properties_t properties = {ZES_STRUCTURE_TYPE_POWER_PROPERTIES, &domain};
        OK(zesPowerGetProperties(each, &properties));
        CHECK(domain.domain && limit.limit == properties.defaultLimit);
        ANSWER(zes_power_properties_t, zesPowerGetProperties, each);
        ANSWER(zes_power_energy_counter_t, zesPowerGetEnergyCounter, each);
        zes_power_sustained_limit_t sustained = {1, 200000, 10};
        CALL(zesPowerSetLimits, each, &sustained, 0, 0);
        zes_power_burst_limit_t burst;
        ANSWER(zes_power_peak_limit_t, zesPowerGetLimits, each, &sustained, &burst);
        show("sustained", 0, "zes_power_sustained_limit_t", &sustained, sizeof sustained);
        show("burst", 0, "zes_power_burst_limit_t", &burst, sizeof burst);
        CALL(zesPowerSetEnergyThreshold, each, 2.5);
        ANSWER(zes_energy_threshold_t, zesPowerGetEnergyThreshold, each);
        limit = (zes_power_limit_ext_desc_t){ZES_STRUCTURE_TYPE_POWER_LIMIT_EXT_DESC, 0, ZES_POWER_LEVEL_SUSTAINED};
        limit.limit = 210000;
        CALL(zesPowerSetLimitsExt, each, &(uint32_t){1}, &limit);
        ARRAY(zes_power_limit_ext_desc_t, zesPowerGetLimitsExt, each);
        if (zesPowerGetUsage && zesPowerGetLimitsExt2 && zesPowerSetLimitsExt2) {
            uint32_t now;
            ANSWER(uint32_t, zesPowerGetUsage, each, &now);
            CALL(zesPowerSetLimitsExt2, each, 190000);
            ANSWER(uint32_t, zesPowerGetLimitsExt2, each);
        }
    }
}

static void frequencies(zes_device_handle_t card)
{
    EACH(zes_freq_handle_t, zesDeviceEnumFrequencyDomains)
    {
        ANSWER(zes_freq_properties_t, zesFrequencyGetProperties, each);
        ARRAY(double, zesFrequencyGetAvailableClocks, each);
        zes_freq_range_t range = {-1, 1000};
        CALL(zesFrequencySetRange, each, &range);
        ANSWER(zes_freq_range_t, zesFrequencyGetRange, each);
        ANSWER(zes_freq_state_t, zesFrequencyGetState, each);
        ANSWER(zes_freq_throttle_time_t, zesFrequencyGetThrottleTime, each);
        ANSWER(zes_oc_capabilities_t, zesFrequencyOcGetCapabilities, each);
        double number;
        ANSWER(double, zesFrequencyOcGetFrequencyTarget, each);
        CALL(zesFrequencyOcSetFrequencyTarget, each, 1700.0);
        ANSWER(double, zesFrequencyOcGetVoltageTarget, each, &number);
        CALL(zesFrequencyOcSetVoltageTarget, each, 1.0, 0.0);
        CALL(zesFrequencyOcSetMode, each, ZES_OC_MODE_OFF);
        ANSWER(zes_oc_mode_t, zesFrequencyOcGetMode, each);
        ANSWER(double, zesFrequencyOcGetIccMax, each);
        CALL(zesFrequencyOcSetIccMax, each, 10.0);
        ANSWER(double, zesFrequencyOcGetTjMax, each);
        CALL(zesFrequencyOcSetTjMax, each, 90.0);
    }
}

static void temperatures(zes_device_handle_t card)
{
    EACH(zes_temp_handle_t, zesDeviceEnumTemperatureSensors)
    {
        ANSWER(zes_temp_properties_t, zesTemperatureGetProperties, each);
        zes_temp_config_t config = {ZES_STRUCTURE_TYPE_TEMP_CONFIG, 0, 1, {1, 0, 70.5}, {0, 1, 60.25}};
        CALL(zesTemperatureSetConfig, each, &config);
        ANSWER(zes_temp_config_t, zesTemperatureGetConfig, each);
        ANSWER(double, zesTemperatureGetState, each);
    }
}

static void memories(zes_device_handle_t card)
{
    EACH(zes_mem_handle_t, zesDeviceEnumMemoryModules)
    {
        ANSWER(zes_mem_properties_t, zesMemoryGetProperties, each);
        ANSWER(zes_mem_state_t, zesMemoryGetState, each);
        ANSWER(zes_mem_bandwidth_t, zesMemoryGetBandwidth, each);
    }
}

static void errors(zes_device_handle_t card)
{
    NEW(zesRasGetStateExp, zes_ras_handle_t, uint32_t *, void *);
    NEW(zesRasClearStateExp, zes_ras_handle_t, uint32_t);
    NEW(zesRasGetSupportedCategoriesExp, zes_ras_handle_t, uint32_t *, uint32_t *);
    NEW(zesRasGetStateExp2, zes_ras_handle_t, uint32_t, const uint32_t *, category_value *);
    NEW(zesRasGetConfigExp, zes_ras_handle_t, uint32_t, category_value *);
    NEW(zesRasSetConfigExp, zes_ras_handle_t, uint32_t, category_value *);
    EACH(zes_ras_handle_t, zesDeviceEnumRasErrorSets)
    {
        ANSWER(zes_ras_properties_t, zesRasGetProperties, each);
        zes_ras_config_t config = {ZES_STRUCTURE_TYPE_RAS_CONFIG, 0, 9};
        config.detailedThresholds.category[2] = 5;
        CALL(zesRasSetConfig, each, &config);
        ANSWER(zes_ras_config_t, zesRasGetConfig, each);
        ANSWER(zes_ras_state_t, zesRasGetState, each, 1);
        if (!zesRasSetConfigExp)
            continue;
        NEWER("zes_ras_state_exp_t", 7 * 16, zesRasGetStateExp, each, &(uint32_t){7});
        CALL(zesRasClearStateExp, each, 0);
        CALL(zesRasClearStateExp, each, 77);
        ARRAY(uint32_t, zesRasGetSupportedCategoriesExp, each);
        category_value two[2] = {{0, 0, 3, 11}, {0, 0, 1, 12}}, found[2] = {{0}};
        CALL(zesRasSetConfigExp, each, 2, two);
        two[0].value = two[1].value = 0;
        show("zesRasGetConfigExp", zesRasGetConfigExp(each, 2, two), "zes_ras_config_exp_t", two, sizeof two);
        show("zesRasGetStateExp2", zesRasGetStateExp2(each, 2, (uint32_t[]){4, 2}, found), "zes_ras_state_exp2_t", found,
            sizeof found);
    }
}

static void firmware(zes_device_handle_t card)
{
    NEW(zesFirmwareGetFlashProgress, zes_firmware_handle_t, uint32_t *);
    NEW(zesFirmwareGetConsoleLogs, zes_firmware_handle_t, size_t *, char *);
    NEW(zesFirmwareGetSecurityVersionExp, zes_firmware_handle_t, char *);
    NEW(zesFirmwareSetSecurityVersionExp, zes_firmware_handle_t);
    EACH(zes_firmware_handle_t, zesDeviceEnumFirmwares)
    {
        char image[] = "$FPT and what a firmware consists of";
        CALL(zesFirmwareFlash, each, image, sizeof image - 1);
        CALL(zesFirmwareFlash, each, image + 1, 3);
        CALL(zesFirmwareFlash, each, 0, 3);
        ANSWER(zes_firmware_properties_t, zesFirmwareGetProperties, each);
        if (!zesFirmwareSetSecurityVersionExp)
            continue;
        ANSWER(uint32_t, zesFirmwareGetFlashProgress, each);
        char text[200] = "";
        size_t size = 0;
        OK(zesFirmwareGetConsoleLogs(each, &size, 0));
        CHECK(size > 20 && size < sizeof text);
        show("zesFirmwareGetConsoleLogs", zesFirmwareGetConsoleLogs(each, &size, text), "char", text, size);
        CALL(zesFirmwareGetSecurityVersionExp, each, text);
        CALL(zesFirmwareSetSecurityVersionExp, each);
    }
}

static void diagnostics(zes_device_handle_t card)
{
    EACH(zes_diag_handle_t, zesDeviceEnumDiagnosticTestSuites)
    {
        ANSWER(zes_diag_properties_t, zesDiagnosticsGetProperties, each);
        ARRAY(zes_diag_test_t, zesDiagnosticsGetTests, each);
        ANSWER(zes_diag_result_t, zesDiagnosticsRunTests, each, 0, ZES_DIAG_LAST_TEST_INDEX);
    }
}

// Parts that no simulated card has: there is no handle, and every function says so.
static void absent(zes_device_handle_t card)
{
    {
        EACH(zes_fabric_port_handle_t, zesDeviceEnumFabricPorts)
        {
            ANSWER(zes_fabric_port_properties_t, zesFabricPortGetProperties, each);
            ANSWER(zes_fabric_link_type_t, zesFabricPortGetLinkType, each);
            ANSWER(zes_fabric_port_config_t, zesFabricPortGetConfig, each);
            zes_fabric_port_config_t config = {ZES_STRUCTURE_TYPE_FABRIC_PORT_CONFIG};
            CALL(zesFabricPortSetConfig, each, &config);
            ANSWER(zes_fabric_port_state_t, zesFabricPortGetState, each);
            ANSWER(zes_fabric_port_throughput_t, zesFabricPortGetThroughput, each);
            answer place = {{0}};
            void *places[1] = {&place};
            NEW(zesFabricPortGetFabricErrorCounters, void *, void *)
                CALL(zesFabricPortGetFabricErrorCounters, each, &place);
            NEW(zesFabricPortGetMultiPortThroughput, void *, uint32_t, void *, void **)
                CALL(zesFabricPortGetMultiPortThroughput, card, 0, 0, places);
        }
    }
    {
        EACH(zes_psu_handle_t, zesDeviceEnumPsus)
        {
            ANSWER(zes_psu_properties_t, zesPsuGetProperties, each);
            ANSWER(zes_psu_state_t, zesPsuGetState, each);
        }
    }
    {
        EACH(zes_fan_handle_t, zesDeviceEnumFans)
        {
            ANSWER(zes_fan_properties_t, zesFanGetProperties, each);
            ANSWER(zes_fan_config_t, zesFanGetConfig, each);
            CALL(zesFanSetDefaultMode, each);
            zes_fan_speed_t speed = {50, ZES_FAN_SPEED_UNITS_PERCENT};
            CALL(zesFanSetFixedSpeedMode, each, &speed);
            zes_fan_speed_table_t table = {1, {{50, speed}}};
            CALL(zesFanSetSpeedTableMode, each, &table);
            ANSWER(int32_t, zesFanGetState, each, ZES_FAN_SPEED_UNITS_RPM);
        }
    }
    {
        EACH(zes_led_handle_t, zesDeviceEnumLeds)
        {
            ANSWER(zes_led_properties_t, zesLedGetProperties, each);
            ANSWER(zes_led_state_t, zesLedGetState, each);
            CALL(zesLedSetState, each, 1);
            zes_led_color_t red = {1, 0, 0};
            CALL(zesLedSetColor, each, &red);
        }
    }
    answer place = {{0}};
    typedef void *any;
    NEW(zesDeviceEnumOverclockDomains, any, uint32_t *, any *)
    {
        EACH(any, zesDeviceEnumOverclockDomains)
        {
            NEW(zesOverclockGetDomainProperties, any, any) CALL(zesOverclockGetDomainProperties, each, &place);
            NEW(zesOverclockGetDomainVFProperties, any, any) CALL(zesOverclockGetDomainVFProperties, each, &place);
            NEW(zesOverclockGetDomainControlProperties, any, uint32_t, any)
                CALL(zesOverclockGetDomainControlProperties, each, 8, &place);
            NEW(zesOverclockGetControlCurrentValue, any, uint32_t, any)
                CALL(zesOverclockGetControlCurrentValue, each, 8, &place);
            NEW(zesOverclockGetControlPendingValue, any, uint32_t, any)
                CALL(zesOverclockGetControlPendingValue, each, 8, &place);
            NEW(zesOverclockSetControlUserValue, any, uint32_t, double, any)
                CALL(zesOverclockSetControlUserValue, each, 8, 1.0, &place);
            NEW(zesOverclockGetControlState, any, uint32_t, any, any)
                CALL(zesOverclockGetControlState, each, 8, &place, &place);
            NEW(zesOverclockGetVFPointValues, any, uint32_t, uint32_t, uint32_t, any)
                CALL(zesOverclockGetVFPointValues, each, 1, 2, 0, &place);
            NEW(zesOverclockSetVFPointValues, any, uint32_t, uint32_t, uint32_t)
                CALL(zesOverclockSetVFPointValues, each, 1, 0, 0);
        }
    }
    NEW(zesDeviceEnumActiveVFExp, any, uint32_t *, any *)
    {
        EACH(any, zesDeviceEnumActiveVFExp)
        {
            uint32_t one = 1;
#define OF_FUNCTION(name) NEW(name, any, any) CALL(name, each, &place)
            OF_FUNCTION(zesVFManagementGetVFPropertiesExp);
            OF_FUNCTION(zesVFManagementGetVFCapabilitiesExp);
            OF_FUNCTION(zesVFManagementGetVFCapabilitiesExp2);
#define LIST_OF_FUNCTION(name) NEW(name, any, uint32_t *, any) CALL(name, each, &one, &place)
            LIST_OF_FUNCTION(zesVFManagementGetVFMemoryUtilizationExp);
            LIST_OF_FUNCTION(zesVFManagementGetVFEngineUtilizationExp);
            LIST_OF_FUNCTION(zesVFManagementGetVFMemoryUtilizationExp2);
            LIST_OF_FUNCTION(zesVFManagementGetVFEngineUtilizationExp2);
            NEW(zesVFManagementSetVFTelemetryModeExp, any, uint32_t, ze_bool_t)
                CALL(zesVFManagementSetVFTelemetryModeExp, each, 1, 1);
            NEW(zesVFManagementSetVFTelemetrySamplingIntervalExp, any, uint32_t, uint64_t)
                CALL(zesVFManagementSetVFTelemetrySamplingIntervalExp, each, 1, 1);
        }
    }
    NEW(zesDeviceEnumEnabledVFExp, any, uint32_t *, any *)
        ANSWER(any, zesDeviceEnumEnabledVFExp, card, &(uint32_t){0});
}

static uint32_t find_cards(int cast, zes_device_handle_t *cards)
{
    uint32_t count = 2;
    if (cast) {
        begin();
        OK(zeDeviceGet(driver, &count, (ze_device_handle_t *)cards));
        return count;
    }
    NEW(zesInit, uint32_t);
    NEW(zesDriverGet, uint32_t *, zes_driver_handle_t *);
    NEW(zesDeviceGet, zes_driver_handle_t, uint32_t *, zes_device_handle_t *);
    NEW(zesDriverGetExtensionProperties, zes_driver_handle_t, uint32_t *, void *);
    NEW(zesDriverGetExtensionFunctionAddress, zes_driver_handle_t, const char *, void **);
    NEW(zesDriverGetDeviceByUuidExp, zes_driver_handle_t, uuid, zes_device_handle_t *, ze_bool_t *, uint32_t *);
    CALL(zesDriverGet, &count, 0);
    OK(zesInit(0x80));
    uint32_t one = 1;
    CALL(zesDriverGet, &one, &driver);
    CALL(zesDeviceGet, driver, &count, cards);
    void *function = 0;
    CALL(zesDriverGetExtensionFunctionAddress, driver, "zesDeviceGet", &function);
    CHECK(((ze_result_t(*)(zes_driver_handle_t, uint32_t *, void *))function)(driver, &one, 0) == 0 && one == 2);
    one = 0;
    ANSWER(void *, zesDriverGetExtensionProperties, driver, &one);
    CHECK(one > 3);
    zes_device_properties_t properties = {ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(zesDeviceGetProperties(cards[1], &properties));
    uuid id;
    memcpy(&id, &properties.core.uuid, sizeof id);
    ze_bool_t is_tile = 9;
    zes_device_handle_t found = 0;
    CALL(zesDriverGetDeviceByUuidExp, driver, id, &found, &is_tile, &one);
    CHECK(found == cards[1] && !is_tile);
    return count;
}

int main(int count, char **arguments)
{
    zes_device_handle_t cards[2];
    uint32_t found = find_cards(count > 1 && !strcmp(arguments[1], "cast"), cards);
    CHECK(found == 2);
    for (uint32_t index = 0; index < found; index++) {
        zes_device_handle_t card = cards[index];
        void (*parts[])(zes_device_handle_t) = {
            card_itself, schedulers, engines, factors, standby, powers, frequencies, temperatures, memories, errors,
            firmware, diagnostics, absent,
        };
        for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
            parts[part](card);
    }
    uint32_t number = 7, events[2] = {7, 7};
    CALL(zesDriverEventListen, driver, 0, 2, cards, &number, events);
    CALL(zesDriverEventListenEx, driver, 0, 2, cards, &number, events);
    CHECK(number == 0 && !events[0] && !events[1]);
    zes_device_properties_t untyped = {0};
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zesDeviceGetProperties(0, &untyped));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zesDeviceGetProperties(cards[0], 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zesPowerGetEnergyCounter((void *)cards[0], (void *)&untyped));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zesDeviceEnumFans(cards[0], 0, 0));
    return 0;
}
