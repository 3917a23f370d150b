import assert from "node:assert/strict";
import { type CniPluginsSight, decideCniPlugins } from "../../../../../../agents/nodes/node-agent/cni-plugins/decide";
import type { CniPluginsJournal } from "../../../../../../agents/nodes/node-agent/cni-plugins/journal";
import { newerPlugins as newer, olderPlugins as older, pluginsSight as sight } from "../example";

const idle: CniPluginsJournal = { phase: "idle" };
const changing: CniPluginsJournal = { phase: "changing", from: older, to: newer };
const reverting: CniPluginsJournal = { phase: "reverting", from: older, to: newer, reason: "it broke", pod: "pod" };
const failed: CniPluginsJournal = { phase: "failed", to: newer, reason: "it broke", pod: "pod" };
const cordoned = { isCordoned: true, isLeaving: false };
const schedulable = { isCordoned: false, isLeaving: false };

type Row = [
    title: string,
    journal: CniPluginsJournal,
    sight: Partial<CniPluginsSight>,
    expected: { actions?: string[]; phase?: CniPluginsJournal["phase"]; amiss?: RegExp; notice?: string },
];

const table: Row[] = [
    ["they are the wanted ones", idle, { installed: newer }, {}],
    ["they are the wanted ones, from elsewhere", idle, { installed: { ...newer, urls: [] } }, {}],
    ["the API is silent", idle, { node: "unknown" }, {}],
    ["the node leaves", idle, { node: { isCordoned: false, isLeaving: true } }, {}],
    ["the kubelet is changed, or failed", idle, { isKubeletChanging: true }, {}],
    [
        "the annotation names what is not pinned",
        idle,
        { wanted: { refusal: "no such" } },
        { amiss: /no such/, notice: "CniPluginsRefused" },
    ],
    ["nothing says which they are", idle, { installed: undefined }, { notice: "CniPluginsUnknown" }],
    ["they are not here", idle, { isHere: false }, { actions: ["fetch plugins"], amiss: /222222222222 are to be fet/ }],
    [
        "they can't be fetched",
        idle,
        { isHere: false, fetchProblem: "404" },
        { actions: ["fetch plugins"], amiss: /fetched/, notice: "CniPluginsFetchFailed" },
    ],
    ["another node is rebooted", idle, { rebootOf: "other" }, { amiss: /wait for the reboot of other/ }],
    ["the node is to be cordoned", idle, { node: schedulable }, { actions: ["cordon"], amiss: /cordoned/ }],
    [
        "the node is cordoned",
        idle,
        {},
        {
            actions: ["swap plugins"],
            phase: "changing",
            amiss: /CNI plugins 111111111111 give way to CNI plugins 222222222222$/,
            notice: "CniPluginsChanging",
        },
    ],
    [
        "the change was cut short",
        changing,
        { isHere: false },
        { actions: ["swap plugins"], phase: "changing", amiss: /put in their place/ },
    ],
    [
        "the change was cut short, and the API is silent",
        changing,
        { node: "unknown" },
        { actions: ["swap plugins"], phase: "changing", amiss: /put in their place/ },
    ],
    ["they answer", changing, { swapped: { isIn: true } }, { amiss: /and answer/, notice: "CniPluginsChanged" }],
    [
        "they answer, and the API is silent",
        changing,
        { swapped: { isIn: true }, node: "unknown" },
        { phase: "changing", amiss: /and answer/ },
    ],
    [
        "they do not answer",
        changing,
        { swapped: { isIn: true, fault: "bridge is mute" } },
        { actions: ["swap plugins"], phase: "reverting", amiss: /bridge is mute/, notice: "CniPluginsReverting" },
    ],
    [
        "they could not be put in their place",
        changing,
        { swapped: { isIn: false, fault: "ENOSPC" }, node: "unknown" },
        { actions: ["swap plugins"], phase: "reverting", amiss: /do not do: ENOSPC/, notice: "CniPluginsReverting" },
    ],
    [
        "the way back was cut short",
        reverting,
        {},
        { actions: ["swap plugins"], phase: "reverting", amiss: /it broke$/ },
    ],
    [
        "those of before can't be put back",
        reverting,
        { swapped: { isIn: false, fault: "ENOSPC" } },
        { actions: ["swap plugins"], phase: "reverting", amiss: /neither could .* ENOSPC/, notice: "CniPluginsLost" },
    ],
    [
        "those of before are back",
        reverting,
        { swapped: { isIn: true } },
        { phase: "failed", amiss: /it broke; CNI plugins 111111111111 are back$/, notice: "CniPluginsFailed" },
    ],
    [
        "those of before are back, and mute",
        reverting,
        { swapped: { isIn: true, fault: "mute" }, node: schedulable },
        {
            actions: ["cordon"],
            phase: "failed",
            amiss: /are back, and do not do either: mute/,
            notice: "CniPluginsFailed",
        },
    ],
    [
        "those of before are back, for another pod",
        { ...reverting, pod: "earlier" },
        { swapped: { isIn: true } },
        { amiss: /it broke/ },
    ],
    ["it failed", failed, {}, { phase: "failed", amiss: /broke/, notice: "CniPluginsFailed" }],
    [
        "it failed, and somebody made the node schedulable",
        failed,
        { node: schedulable },
        { actions: ["cordon"], phase: "failed", amiss: /broke/, notice: "CniPluginsFailed" },
    ],
    ["it failed, and others are wanted", failed, { wanted: older }, { amiss: /broke/ }],
    [
        "it failed, and the annotation names what is not pinned",
        failed,
        { wanted: { refusal: "no" } },
        { amiss: /broke/ },
    ],
    ["it failed, and another pod tries", failed, { pod: "other" }, { amiss: /broke/ }],
];

describe("what the node-agent does about CNI plugins when", () => {
    for (const [title, journal, seen, expected] of table) {
        it(title, () => {
            const decision = decideCniPlugins(journal, sight({ node: cordoned, ...seen }));
            assert.deepEqual(decision.actions, expected.actions ?? []);
            assert.equal(decision.journal.phase, expected.phase ?? "idle");
            assert.equal(decision.notice?.reason, expected.notice);
            if (expected.amiss) assert.match(decision.amiss ?? "", expected.amiss);
            else assert.equal(decision.amiss, undefined);
        });
    }
});
