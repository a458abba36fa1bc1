"""Level Zero for programs in C, C++ and SYCL: the driver that a Level Zero loader loads, and a stand-in for the loader.

    program -> loader -> libze_xegpu.so       C: tables of functions, each of which enters Python with its arguments
                         marshalling          Python: handles, structures and arrays of C, to and from those of Python
                         runtime.ze           the functions

`abi` has the functions and structures of C as data, `library` compiles the libraries, `marshalling` makes the callables
behind their functions, and `entry` is what they call first. The package imports none of them, so that a program
waits for no more than it uses.
"""

from runtime.driver.settings import Settings as Settings
