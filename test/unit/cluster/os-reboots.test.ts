import assert from "node:assert/strict";
import { cloudOsReboots, resolveOsReboots } from "../../../cluster/os-reboots";
import { resolveCluster } from "../../../cluster/resolve";

describe("reboots of nodes", () => {
    it("are off by default, and without a window", () => {
        assert.equal(resolveCluster({ name: "c" }).osReboots, undefined);
        assert.equal(resolveCluster({ name: "c", osReboots: { windows: [] } }).osReboots, undefined);
    });

    it("are on by default on clouds, once a week, except in clusters of earlier releases", () => {
        assert.deepEqual(cloudOsReboots({}), { windows: ["Sun 02:00-05:00"] });
        assert.ok(resolveOsReboots(cloudOsReboots({})!));
        assert.equal(cloudOsReboots({ defaults: 1 }), undefined);
        const osReboots = { windows: ["02:00-05:00"] };
        assert.deepEqual(cloudOsReboots({ defaults: 1, osReboots }), osReboots);
        assert.deepEqual(cloudOsReboots({ osReboots: { windows: [] } }), { windows: [] });
    });

    const everyDay = [0, 1, 2, 3, 4, 5, 6];
    const legal: [string, object][] = [
        ["Sun 02:00-05:00", { days: [0], start: 120, minutes: 180 }],
        ["02:00-05:00", { days: everyDay, start: 120, minutes: 180 }],
        ["Mon-Fri 22:00-02:00", { days: [1, 2, 3, 4, 5], start: 1320, minutes: 240 }],
        ["Fri-Mon 22:00-24:00", { days: [5, 6, 0, 1], start: 1320, minutes: 120 }],
        ["Sat-Sat 00:00-24:00", { days: [6], start: 0, minutes: 1440 }],
        ["23:50-00:05", { days: everyDay, start: 1430, minutes: 15 }],
    ];
    for (const [text, window] of legal) {
        it(`may start on ${text}`, () => {
            assert.deepEqual(resolveCluster({ name: "c", osReboots: { windows: [text] } }).osReboots, {
                windows: [window],
            });
        });
    }

    const wrong = ["", "Sunday 02:00-05:00", "Xyz 02:00-05:00", "02:00", "2:00-5:00", "25:00-26:00", "02:60-05:00"];
    for (const text of [
        ...wrong,
        "02:00-02:00",
        "02:00-02:14",
        "24:00-02:00",
        "sun 02:00-05:00",
        "Sun-Xyz 01:00-02:00",
    ]) {
        it(`may not begin on ${text || "nothing"}`, () => {
            assert.throws(
                () => resolveOsReboots({ windows: ["02:00-05:00", text] }),
                /^Error: osReboots\.windows\[1\] must be "<days> <HH:MM>-<HH:MM>" in UTC, .*, got /,
            );
        });
    }
});
