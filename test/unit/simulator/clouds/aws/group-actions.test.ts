import assert from "node:assert/strict";
import type { AutoScalingGroup, Instance, Resources } from "../../../../../simulator/clouds/aws/account";
import {
    type GroupActions,
    groupActions,
    secondsUntilRemoved,
} from "../../../../../simulator/clouds/aws/group-actions";

const now = new Date("2030-01-01T00:02:00Z");
const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}", groups: [] };
const group = (more: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
    ...{ name: "g", targetGroups: [], desired: 2, least: 0, most: 9, tags: {}, subnets: ["a", "b"], calls: "g" },
    ...{ spec, createdFrom: "lt-1:1", isSpot: true, rebalances: true, ...more },
});
const member = (subnet: string, more: Partial<Instance> = {}): Instance => ({
    ...{
        name: "g",
        machine: "",
        vpc: "v",
        subnet,
        address: "",
        groups: [],
        createdBy: "g",
        createdFrom: "lt-1:1",
        ...more,
    },
});
const old = (subnet: string, more: Partial<Instance> = {}) => member(subnet, { createdFrom: "lt-1:0", ...more });
const refreshing = group({ warmupSeconds: 30 });
const resources = (instances: Resources["instances"], of = group()) => ({ autoScalingGroups: { g: of }, instances });
const interruption = (time: string) => ({ interruption: { action: "terminate" as const, time } });
const waiting = (until: string) => ({ waiting: { until } });
const rebalance = { rebalance: { noticeTime: "2030-01-01T00:00:00Z" } };
const nothing = { end: [], leave: [], launch: [] };

describe("the actions of an Auto Scaling group", () => {
    const table: [string, Resources["instances"], Record<string, number>, GroupActions, AutoScalingGroup?][] = [
        ["nothing at its size", { 1: member("a"), 2: member("b") }, {}, nothing],
        ["launches in each subnet", {}, {}, { end: [], leave: [], launch: ["a", "b"] }],
        ["launches where there are fewest", { 1: member("a") }, {}, { end: [], leave: [], launch: ["b"] }],
        [
            "replaces a dead machine",
            { 1: member("a"), 2: member("b") },
            { 2: secondsUntilRemoved },
            { end: ["2"], leave: [], launch: ["b"] },
        ],
        ["leaves a rebooting one alone", { 1: member("a"), 2: member("b") }, { 2: secondsUntilRemoved - 1 }, nothing],
        [
            "leaves another group's alone",
            { 1: member("a"), 2: member("b"), 3: member("a", { createdBy: "h" }) },
            {},
            nothing,
        ],
        [
            "terminates the oldest surplus one",
            { 1: member("a"), 2: member("b"), 3: member("a") },
            {},
            { end: [], leave: ["1"], launch: [] },
        ],
        [
            "keeps one running until its interruption time",
            { 1: member("a"), 2: member("b", interruption("2030-01-01T00:02:01Z")) },
            {},
            nothing,
        ],
        [
            "terminates and replaces one whose time is up",
            { 1: member("a"), 2: member("b", interruption("2030-01-01T00:02:00Z")) },
            {},
            { end: ["2"], leave: [], launch: ["b"] },
        ],
        [
            "first launches a replacement for one at risk of interruption",
            { 1: member("a"), 2: member("b", rebalance) },
            {},
            { end: [], leave: [], launch: ["b"] },
        ],
        [
            "terminates that once the other one exists",
            { 1: member("a"), 2: member("b", rebalance), 3: member("b") },
            {},
            { end: [], leave: ["2"], launch: [] },
        ],
        [
            "no longer counts one in a lifecycle wait, and leaves it alone",
            { 1: member("a"), 2: member("b", waiting("2030-01-01T00:02:01Z")), 3: member("b") },
            {},
            nothing,
        ],
        [
            "terminates one after the wait, or when released",
            { 1: member("a"), 2: member("b", waiting("2030-01-01T00:02:00Z")) },
            {},
            { end: ["2"], leave: [], launch: ["b"] },
        ],
        [
            "terminates one whose machine dies during the wait",
            { 1: member("a"), 2: member("b"), 3: member("b", waiting("2030-01-01T00:03:00Z")) },
            { 3: secondsUntilRemoved },
            { end: ["3"], leave: [], launch: [] },
        ],
        ["keeps instances of another version, unless it refreshes them", { 1: old("a"), 2: old("b") }, {}, nothing],
        [
            "first launches one of its version, in the subnet of one of another version",
            { 1: old("b"), 2: old("a") },
            {},
            { end: [], leave: [], launch: ["b"] },
            refreshing,
        ],
        [
            "waits until that is warm",
            { 1: old("b"), 2: old("a"), 3: member("b", { launched: "2030-01-01T00:01:31Z" }) },
            {},
            nothing,
            refreshing,
        ],
        [
            "then terminates the other one",
            { 1: old("b"), 2: old("a"), 3: member("b", { launched: "2030-01-01T00:01:30Z" }) },
            {},
            { end: [], leave: ["1"], launch: [] },
            refreshing,
        ],
        [
            "leaves the next one alone during the wait",
            { 1: old("b", waiting("2030-01-01T00:03:00Z")), 2: old("a"), 3: member("b") },
            {},
            nothing,
            refreshing,
        ],
        [
            "continues with the next one after that",
            { 2: old("a"), 3: member("b", { launched: "2030-01-01T00:00:00Z" }) },
            {},
            { end: [], leave: [], launch: ["a"] },
            refreshing,
        ],
        ["is refreshed when none is of another version", { 3: member("b"), 4: member("a") }, {}, nothing, refreshing],
        [
            "replaces dead ones during a refresh",
            { 1: old("b"), 2: old("a") },
            { 1: secondsUntilRemoved },
            { end: ["1"], leave: [], launch: ["b"] },
            refreshing,
        ],
        [
            "waits for its interruption if it does not rebalance",
            { 1: member("a"), 2: member("b", rebalance) },
            {},
            nothing,
            group({ rebalances: false }),
        ],
        [
            "replaces one that fails a status check, which is asked to shut down",
            { 1: member("a", { failedCheck: "instance" }), 2: member("b") },
            {},
            { end: [], leave: ["1"], launch: ["a"] },
        ],
        [
            "does the same during a refresh",
            { 1: old("a"), 2: old("b", { failedCheck: "system" }), 3: member("b") },
            {},
            { end: [], leave: ["2"], launch: ["a"] },
            refreshing,
        ],
        [
            "terminates half-finished launches and terminations, and replaces them",
            { 1: member("a", { state: "pending" }), 2: member("b", { state: "shutting-down" }) },
            {},
            { end: ["1", "2"], leave: [], launch: ["a", "b"] },
        ],
    ];
    for (const [title, instances, off, expected, of] of table) {
        it(title, () => assert.deepEqual(groupActions(resources(instances, of), "g", off, now), expected));
    }
});
