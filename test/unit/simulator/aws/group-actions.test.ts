import assert from "node:assert/strict";
import type { AutoScalingGroup, Instance, Resources } from "../../../../simulator/aws/account";
import { type GroupActions, groupActions, secondsUntilGone } from "../../../../simulator/aws/group-actions";

const now = new Date("2030-01-01T00:02:00Z");
const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}", groups: [] };
const group = (more: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
    ...{ name: "g", targetGroups: [], desired: 2, subnets: ["a", "b"], calls: "g" },
    ...{ spec, madeFrom: "lt-1:1", isSpot: true, rebalances: true, ...more },
});
const member = (subnet: string, more: Partial<Instance> = {}): Instance => ({
    ...{ name: "g", machine: "", vpc: "v", subnet, address: "", groups: [], madeBy: "g", ...more },
});
const resources = (instances: Resources["instances"], of = group()) => ({ autoScalingGroups: { g: of }, instances });
const interruption = (time: string) => ({ interruption: { action: "terminate" as const, time } });
const rebalance = { rebalance: { noticeTime: "2030-01-01T00:00:00Z" } };
const nothing = { end: [], launch: [] };

describe("what an Auto Scaling group does", () => {
    const table: [string, Resources["instances"], Record<string, number>, GroupActions, AutoScalingGroup?][] = [
        ["nothing at its size", { 1: member("a"), 2: member("b") }, {}, nothing],
        ["launches in each subnet", {}, {}, { end: [], launch: ["a", "b"] }],
        ["launches where the fewest are", { 1: member("a") }, {}, { end: [], launch: ["b"] }],
        [
            "replaces a machine that is gone",
            { 1: member("a"), 2: member("b") },
            { 2: secondsUntilGone },
            { end: ["2"], launch: ["b"] },
        ],
        ["leaves one alone that reboots", { 1: member("a"), 2: member("b") }, { 2: secondsUntilGone - 1 }, nothing],
        [
            "leaves another group's alone",
            { 1: member("a"), 2: member("b"), 3: member("a", { madeBy: "h" }) },
            {},
            nothing,
        ],
        [
            "ends the oldest of too many",
            { 1: member("a"), 2: member("b"), 3: member("a") },
            {},
            { end: ["1"], launch: [] },
        ],
        [
            "lets one run until the time of its notice",
            { 1: member("a"), 2: member("b", interruption("2030-01-01T00:02:01Z")) },
            {},
            nothing,
        ],
        [
            "ends and replaces one whose time has come",
            { 1: member("a"), 2: member("b", interruption("2030-01-01T00:02:00Z")) },
            {},
            { end: ["2"], launch: ["b"] },
        ],
        [
            "has another one come first in the place of one that is likely to be taken away",
            { 1: member("a"), 2: member("b", rebalance) },
            {},
            { end: [], launch: ["b"] },
        ],
        [
            "ends that when the other one is there",
            { 1: member("a"), 2: member("b", rebalance), 3: member("b") },
            {},
            { end: ["2"], launch: [] },
        ],
        [
            "waits for its notice if it does not rebalance",
            { 1: member("a"), 2: member("b", rebalance) },
            {},
            nothing,
            group({ rebalances: false }),
        ],
        [
            "ends what was left half made or half ended, and makes it anew",
            { 1: member("a", { state: "pending" }), 2: member("b", { state: "shutting-down" }) },
            {},
            { end: ["1", "2"], launch: ["a", "b"] },
        ],
    ];
    for (const [title, instances, off, expected, of] of table) {
        it(title, () => assert.deepEqual(groupActions(resources(instances, of), "g", off, now), expected));
    }
});
