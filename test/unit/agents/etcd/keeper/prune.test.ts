import assert from "node:assert/strict";
import { expired } from "../../../../../agents/etcd/keeper/prune";

const now = new Date("2026-11-21T12:00:00Z");
const hour = 3_600;

/** Snapshots that are this many hours old. */
const aged = (...hours: number[]) =>
    hours.map((age) => ({ age, time: new Date(now.getTime() - age * hour * 1000).toISOString() }));

describe("Pruning", () => {
    const cases: [string, number[], { keep: number; maxAgeSeconds?: number }, number[]][] = [
        ["nothing from an empty list", [], { keep: 1 }, []],
        ["nothing below the count", [2, 1, 0], { keep: 3 }, []],
        ["the oldest beyond the count, oldest first", [4, 3, 2, 1], { keep: 2 }, [4, 3]],
        ["whatever their order", [1, 4, 2, 3], { keep: 2 }, [4, 3]],
        ["those that are too old", [30, 25, 23], { keep: 9, maxAgeSeconds: 24 * hour }, [30, 25]],
        ["none that is just young enough", [24, 1], { keep: 9, maxAgeSeconds: 24 * hour }, []],
        ["those that are too old or too many", [30, 3, 2, 1], { keep: 2, maxAgeSeconds: 24 * hour }, [30, 3]],
        ["never the last one, however old", [999], { keep: 1, maxAgeSeconds: hour }, []],
        ["all but the newest if all are too old", [99, 50, 48], { keep: 9, maxAgeSeconds: hour }, [99, 50]],
        ["those dated in the future first, whose age is unknown", [-5, 1, 2], { keep: 2 }, [-5]],
        ["the older ones dated in the future before the newer", [-5, -4, 1], { keep: 2 }, [-4]],
    ];
    for (const [what, ages, retention, removed] of cases) {
        it(`removes ${what}`, () => {
            assert.deepEqual(
                expired(aged(...ages), retention, now).map(({ age }) => age),
                removed,
            );
        });
    }
});
