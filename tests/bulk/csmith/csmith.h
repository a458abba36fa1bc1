// Makes a program of csmith one of OpenCL C, or one of C that prints the same numbers.
#ifdef __OPENCL_C_VERSION__
typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define INT8_MIN CHAR_MIN
#define INT8_MAX CHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULONG_MAX
#define fabsf fabs
#define transparent_crc(value, name, print) out[count++] = (ulong)(value)
#else
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#define transparent_crc(value, name, print) printf("%llu\n", (unsigned long long)(value))
#endif
#define STATIC static
#define UNDEFINED(x) (x)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#include <csmith/safe_math.h>
#define platform_main_begin()
#define platform_main_end(crc, print)
#define crc32_gentab()
