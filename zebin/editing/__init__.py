"""Changes `.ze_info` of an existing ZEBIN and leaves every other byte unchanged.

>>> edit("gemm.zebin").set("kernels[gemm].execution_env.grf_count", 256).binary()
"""

from zebin.editing.code import NewCode as NewCode, assemble_for as assemble_for, replace_code as replace_code
from zebin.editing.container import replace_member as replace_member
from zebin.editing.editor import Editor as Editor, edit as edit, parse_value as parse_value
from zebin.editing.path import EditError as EditError
