"""Architectures of NVIDIA's GPUs by name, which programs compare with the GPU's own."""
import enum
import functools
import os
import sys


@functools.total_ordering
class Arch(enum.Enum):
    """Architectures, older ones first. The value: (major number, minor number, what is special of it)."""

    sm_70, sm_75, sm_80, sm_86, sm_87, sm_89 = (7, 0, ""), (7, 5, ""), (8, 0, ""), (8, 6, ""), (8, 7, ""), (8, 9, "")
    sm_90, sm_90a = (9, 0, ""), (9, 0, "a")
    sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f = (10, 0, ""), (10, 0, "a"), (10, 0, "f"), (10, 1, ""), (10, 1, "a"), (10, 1, "f")
    sm_103, sm_103a, sm_103f, sm_107, sm_107a, sm_107f = (10, 3, ""), (10, 3, "a"), (10, 3, "f"), (10, 7, ""), (10, 7, "a"), (10, 7, "f")
    sm_110, sm_110a, sm_110f = (11, 0, ""), (11, 0, "a"), (11, 0, "f")
    sm_120, sm_120a, sm_120f, sm_121, sm_121a, sm_121f = (12, 0, ""), (12, 0, "a"), (12, 0, "f"), (12, 1, ""), (12, 1, "a"), (12, 1, "f")

    @property
    def major(self):
        """The number before the point: 9 of sm_90a."""
        return self.value[0]

    @property
    def minor(self):
        """The number behind the point."""
        return self.value[1]

    @property
    def suffix(self):
        """What is special of it: "", "a" or "f"."""
        return self.value[2]

    def __lt__(self, other):
        return self.value < other.value if isinstance(other, Arch) else NotImplemented

    def is_family_of(self, arch):
        """Does it run what is made for another of its family?"""
        return self.major == arch.major and self.minor >= arch.minor

    @classmethod
    def from_string(cls, text):
        """The architecture of a name such as "sm_90a".  Raises ValueError for one that is not known."""
        if text not in cls.__members__:
            raise ValueError(f"there is no architecture {text!r}; there are {', '.join(cls.__members__)}")
        return cls[text]

    @classmethod
    def current(cls):
        """The architecture that CUTE_DSL_ARCH names, or of the GPU that PyTorch uses; sm_90a without both.  Raises ValueError for a name that is not known."""
        if os.environ.get("CUTE_DSL_ARCH"):
            return cls.from_string(os.environ["CUTE_DSL_ARCH"])
        torch = sys.modules.get("torch")
        try:
            major, minor = torch.cuda.get_device_capability()
        except (AttributeError, AssertionError, RuntimeError):
            return cls.sm_90a
        name = f"sm_{major}{minor}"
        return cls.__members__.get(name + "a" * (major >= 9), cls.__members__.get(name, cls.sm_90a))

    def __str__(self):
        return self.name
