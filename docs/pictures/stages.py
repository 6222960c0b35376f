"""Three stages of shared memory over time: tiles in flight, and the tile that the threads read."""
import layers

STAGES, ROUNDS, AHEAD = 3, 6, 2
LEFT, TOP, ROUND, LANE = 110, 84, 118, 52
FLYING, READ = "#dbe8f6", "#d9efe0"


def parts():
    yield layers.text(20, 32, "Three stages, two tiles ahead", 18, weight=650)
    yield layers.text(20, 54, "while the threads read a tile, the next two are in flight", 13, fill=layers.QUIET)
    for r in range(ROUNDS):
        yield layers.text(LEFT + (r + 0.5) * ROUND, TOP - 6, f"round {r}", 12, "middle", layers.QUIET)
    for r in range(ROUNDS + 1):
        x = LEFT + r * ROUND
        yield (f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{TOP + STAGES * LANE}" stroke="{layers.QUIET}" '
               'stroke-width="1" stroke-dasharray="3 3"/>')
    for s in range(STAGES):
        yield layers.text(20, TOP + s * LANE + LANE / 2 + 4, f"stage {s}", 13, weight=650)
    for tile in range(ROUNDS):
        y = TOP + tile % STAGES * LANE + 5
        started = max(0, tile - AHEAD)  # the first two before the first round
        if tile > started:
            x = LEFT + started * ROUND
            yield layers.box(x + 3, y, (tile - started) * ROUND - 6, LANE - 10, FLYING)
            yield layers.text(x + (tile - started) * ROUND / 2, y + LANE / 2 - 1, f"tile {tile} in flight", 12, "middle")
        yield layers.box(LEFT + tile * ROUND + 3, y, ROUND - 6, LANE - 10, READ)
        yield layers.text(LEFT + (tile + 0.5) * ROUND, y + LANE / 2 - 1, f"read tile {tile}", 12, "middle")
    yield layers.text(LEFT, TOP + STAGES * LANE + 20, "each round begins with cp_async_wait and a barrier", 12,
                      fill=layers.QUIET)


def svg():
    return layers.page("Three stages, two tiles ahead", LEFT + ROUNDS * ROUND + 20, TOP + STAGES * LANE + 36, parts())
