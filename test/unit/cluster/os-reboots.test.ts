import assert from "node:assert/strict";
import type { OsRebootOptions } from "../../../cluster/options";
import { resolveOsReboots } from "../../../cluster/os-reboots";
import { resolveCluster } from "../../../cluster/resolve";
import { resolveAws } from "../../../components/aws/resolve";

describe("reboots of nodes", () => {
    it("are off by default, and without a window", () => {
        assert.equal(resolveCluster({ name: "c" }).osReboots, undefined);
        assert.equal(resolveCluster({ name: "c", osReboots: { windows: [] } }).osReboots, undefined);
    });

    it("are on by default on clouds, once a week", () => {
        const least = { domain: "example.com", region: "eu-central-1" };
        const of = (osReboots?: OsRebootOptions) => resolveAws("c", { ...least, osReboots }).cluster.osReboots;
        assert.deepEqual(of(), resolveOsReboots({ windows: ["Sun 02:00-05:00"] }));
        assert.deepEqual(of({ windows: ["02:00-05:00"] }), resolveOsReboots({ windows: ["02:00-05:00"] }));
        assert.equal(of({ windows: [] }), undefined);
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
                /^Error: osReboots\.windows\[1\] must be "<days> <HH:MM>-<HH:MM>" in UTC, .* \(got /,
            );
        });
    }
});
