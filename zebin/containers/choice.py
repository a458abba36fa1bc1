"""Chooses among the device code of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zebin.containers.archive import GENERIC_IR
from zebin.containers.image import OffloadImage, broken
from zebin.containers.spirv import spirv_kernels
from zebin.containers.unpacking import device_images
from zebin.device import VERSION, TargetDevice
from zebin.elf.constants import COMPAT_NOTE, TEXT_PREFIX
from zebin.elf.foreign import SPIRV_MODULE, ForeignFileError, describe_foreign
from zebin.elf.model import Buffer, ElfFile
from zebin.elf.notes import TargetNotes, read_notes, target_of
from zebin.elf.reader import read_elf
from zebin.errors import Report, ZebinError, excerpt
from zebin.products import PRODUCT_PREFIXES, RELEASE_BIT, config_word

_LISTED = 20
_POINTER_BITS = 64


def image_target(image: OffloadImage) -> TargetNotes:
    """Returns the GPU that a ZEBIN states, or nothing if it cannot be read."""
    elf = _elf(image)
    section = None if elf is None else elf.find(COMPAT_NOTE)
    return TargetNotes() if section is None else target_of(read_notes(section, Report()))


def _elf(image: OffloadImage) -> ElfFile | None:
    try:
        return read_elf(image.data, Report())[0]
    except ZebinError:
        return None


def images_for(images: Iterable[OffloadImage], device: TargetDevice) -> list[OffloadImage]:
    """Returns the ZEBINs that a driver takes for a GPU: the best one of each fat binary, and of the others all.

    Names of members are compared as drivers do: first that of the exact configuration, then product and stepping, then
    architecture and release, then the product. Others are compared by what they state themselves. If none is for the
    GPU, those of its nearest relative are taken whose code it runs.

    Raises:
        ZebinError: If there is none.
    """
    known = [image for image in images if image.is_zebin]
    prefixes = tuple(device.member_prefixes())
    best: dict[str, tuple[int, OffloadImage]] = {}
    for image in known:
        names = tuple(_names(image))
        ranks = (rank for rank, prefix in enumerate(prefixes) for name in names if _is_under(name, prefix))
        rank = next(ranks, None)
        if rank is not None and (image.group not in best or rank < best[image.group][0]):
            best[image.group] = rank, image
    if not best:
        best = _of_relatives(known, device)
    if not best:
        raise no_choice(f"no member for {device}", known)
    return [image for _, image in best.values()]


def _of_relatives(images: Iterable[OffloadImage], device: TargetDevice) -> dict[str, tuple[int, OffloadImage]]:
    """Returns a ZEBIN for each group, all for the same distance between its release and that of the GPU."""
    related: dict[str, tuple[int, OffloadImage]] = {}
    for image in images:
        config = _config(image)
        if config and device.executes(config):
            distance = abs((config >> RELEASE_BIT) - (device.config >> RELEASE_BIT))
            if image.group not in related or distance < related[image.group][0]:
                related[image.group] = distance, image
    nearest = min((distance for distance, _ in related.values()), default=0)
    return {group: found for group, found in related.items() if found[0] == nearest}


def _config(image: OffloadImage) -> int:
    """Returns the configuration that a ZEBIN is for, by its name in a fat binary or by its notes, 0 if unknown."""
    name = image.member.removeprefix(f"{_POINTER_BITS}.")
    if image.group != image.name and (version := VERSION.fullmatch(name)) is not None:
        return config_word(*(int(part or 0) for part in version.groups()))
    return image_target(image).product_config


def image_in(
    data: Buffer,
    device: TargetDevice | None = None,
    *,
    member: str | None = None,
    kernel: str | None = None,
    or_spirv: bool = False,
) -> OffloadImage:
    """Returns the ZEBIN in a file that is called `member`, or else that a driver takes for a GPU, or else the only one.

    Args:
        data: The file.
        device: The GPU, if there is one.
        member: The name of an image.
        kernel: The name of a kernel, which tells several ZEBINs for one GPU apart.
        or_spirv: Returns a SPIR-V module where no ZEBIN is for the GPU, or none that is has the kernel.

    Raises:
        ForeignFileError: If there is no device code.
        ZebinError: If there are several or none, or a container is broken.
    """
    images = list(device_images(data))
    if not images:
        raise ForeignFileError(f"{describe_foreign(data)} without device code")
    if member is not None:
        chosen = [image for image in images if image.name == member][:1]
        if not chosen:
            raise no_choice(f"no member is called {excerpt(member)}", images)
        return chosen[0]
    if device is None:
        chosen = [image for image in images if image.is_zebin and image.member != GENERIC_IR]
    else:
        chosen = _for_device(images, device, kernel, or_spirv)
    if not chosen:
        kinds = ", ".join(dict.fromkeys(image.kind for image in images))
        raise broken("ar.device", "no ZEBIN among the device code", found=kinds)
    if len(chosen) > 1 and kernel is not None:
        chosen = [image for image in chosen if has_kernel(image, kernel)] or chosen
    if len(chosen) > 1:
        raise no_choice("fat binary: one of its members must be chosen", images if device is None else chosen)
    return chosen[0]


def _for_device(
    images: Sequence[OffloadImage], device: TargetDevice, kernel: str | None, or_spirv: bool
) -> list[OffloadImage]:
    modules = [image for image in images if or_spirv and image.kind == SPIRV_MODULE]
    if kernel is not None:
        modules = [image for image in modules if has_kernel(image, kernel)]
    if not modules:
        return images_for(images, device)
    try:
        chosen = images_for(images, device)
    except ZebinError:
        return modules
    return chosen if kernel is None or any(has_kernel(image, kernel) for image in chosen) else modules


def has_kernel(image: OffloadImage, kernel: str) -> bool:
    """Returns whether a ZEBIN or a SPIR-V module has the code of a kernel."""
    if image.kind == SPIRV_MODULE:
        return kernel in spirv_kernels(image.data)
    elf = _elf(image)
    return elf is not None and elf.find(TEXT_PREFIX + kernel) is not None


def no_choice(message: str, images: Sequence[OffloadImage]) -> ZebinError:
    """Returns the error that names what there is to choose from."""
    names = [excerpt(image.name) for image in images]
    listed = ", ".join(names[:_LISTED]) + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")
    return broken("ar.device", message, found=f"{len(names)} members", expected=f"one of {listed}" if listed else "")


def _is_under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


def _names(image: OffloadImage) -> Iterator[str]:
    """Yields the names by which an image is known: that in a fat binary, else those that its notes make."""
    if image.group != image.name:
        yield image.member
        return
    notes = image_target(image)
    if notes.product_config:
        yield TargetDevice(notes.product_config).member_name
    elif notes.product_family in PRODUCT_PREFIXES:
        yield f"{_POINTER_BITS}.{PRODUCT_PREFIXES[notes.product_family]}"
