import assert from "node:assert/strict";
import {
    type CniPluginsJournal,
    type CniPluginsObservation,
    decideCniPlugins,
} from "../../../../../../agents/nodes/node-agent/cni-plugins/decide";
import { newerPlugins as newer, observedPlugins as observed, olderPlugins as older } from "../example";

const idle: CniPluginsJournal = { phase: "idle" };
const changing: CniPluginsJournal = { phase: "changing", from: older, to: newer };
const reverting: CniPluginsJournal = { phase: "reverting", from: older, to: newer, reason: "it broke", pod: "pod" };
const failed: CniPluginsJournal = { phase: "failed", to: newer, reason: "it broke", pod: "pod" };
const cordoned = { isCordoned: true, isLeaving: false };
const schedulable = { isCordoned: false, isLeaving: false };

type Row = [
    title: string,
    journal: CniPluginsJournal,
    observed: Partial<CniPluginsObservation>,
    expected: { actions?: string[]; phase?: CniPluginsJournal["phase"]; notReadyBecause?: RegExp; notice?: string },
];

const table: Row[] = [
    ["they are the desired ones", idle, { installed: newer }, {}],
    ["they are the desired ones, from another URL", idle, { installed: { ...newer, urls: [] } }, {}],
    ["the API does not answer", idle, { node: "unknown" }, {}],
    ["the node is being removed", idle, { node: { isCordoned: false, isLeaving: true } }, {}],
    ["the kubelet is being changed, or has failed", idle, { isKubeletChanging: true }, {}],
    [
        "the annotation names plugins that are not pinned",
        idle,
        { desired: { refusal: "no such" } },
        { notReadyBecause: /no such/, notice: "CniPluginsRefused" },
    ],
    ["the installed ones are not recorded", idle, { installed: undefined }, { notice: "CniPluginsUnknown" }],
    [
        "they are not downloaded",
        idle,
        { isHere: false },
        { actions: ["fetch plugins"], notReadyBecause: /222222222222 must be fetched/ },
    ],
    [
        "they can't be downloaded",
        idle,
        { isHere: false, fetchProblem: "404" },
        { actions: ["fetch plugins"], notReadyBecause: /fetched/, notice: "CniPluginsFetchFailed" },
    ],
    [
        "another node is being rebooted",
        idle,
        { rebootOf: "other" },
        { notReadyBecause: /waiting for the reboot of other/ },
    ],
    ["the node must be cordoned", idle, { node: schedulable }, { actions: ["cordon"], notReadyBecause: /cordoned/ }],
    [
        "the node is cordoned",
        idle,
        {},
        {
            actions: ["swap plugins"],
            phase: "changing",
            notReadyBecause: /^replacing CNI plugins 111111111111 with CNI plugins 222222222222$/,
            notice: "CniPluginsChanging",
        },
    ],
    [
        "the change was interrupted",
        changing,
        { isHere: false },
        { actions: ["swap plugins"], phase: "changing", notReadyBecause: /installing CNI plugins 222222222222/ },
    ],
    [
        "the change was interrupted, and the API does not answer",
        changing,
        { node: "unknown" },
        { actions: ["swap plugins"], phase: "changing", notReadyBecause: /installing CNI plugins 222222222222/ },
    ],
    [
        "they work",
        changing,
        { swapped: { isIn: true } },
        { notReadyBecause: /and they work/, notice: "CniPluginsChanged" },
    ],
    [
        "they work, and the API does not answer",
        changing,
        { swapped: { isIn: true }, node: "unknown" },
        { phase: "changing", notReadyBecause: /and they work/ },
    ],
    [
        "they do not answer",
        changing,
        { swapped: { isIn: true, fault: "bridge is mute" } },
        {
            actions: ["swap plugins"],
            phase: "reverting",
            notReadyBecause: /bridge is mute/,
            notice: "CniPluginsReverting",
        },
    ],
    [
        "they could not be installed",
        changing,
        { swapped: { isIn: false, fault: "ENOSPC" }, node: "unknown" },
        {
            actions: ["swap plugins"],
            phase: "reverting",
            notReadyBecause: /do not work: ENOSPC/,
            notice: "CniPluginsReverting",
        },
    ],
    [
        "the revert was interrupted",
        reverting,
        {},
        { actions: ["swap plugins"], phase: "reverting", notReadyBecause: /it broke$/ },
    ],
    [
        "the previous ones can't be restored",
        reverting,
        { swapped: { isIn: false, fault: "ENOSPC" } },
        {
            actions: ["swap plugins"],
            phase: "reverting",
            notReadyBecause: /could not be restored either: ENOSPC/,
            notice: "CniPluginsLost",
        },
    ],
    [
        "the previous ones are restored",
        reverting,
        { swapped: { isIn: true } },
        {
            phase: "failed",
            notReadyBecause: /it broke; CNI plugins 111111111111 are restored$/,
            notice: "CniPluginsFailed",
        },
    ],
    [
        "the previous ones are restored, and do not answer",
        reverting,
        { swapped: { isIn: true, fault: "mute" }, node: schedulable },
        {
            actions: ["cordon"],
            phase: "failed",
            notReadyBecause: /are restored, but do not work either: mute/,
            notice: "CniPluginsFailed",
        },
    ],
    [
        "the previous ones are restored, for another pod",
        { ...reverting, pod: "earlier" },
        { swapped: { isIn: true } },
        { notReadyBecause: /it broke/ },
    ],
    ["it failed", failed, {}, { phase: "failed", notReadyBecause: /broke/, notice: "CniPluginsFailed" }],
    [
        "it failed, and a user uncordoned the node",
        failed,
        { node: schedulable },
        { actions: ["cordon"], phase: "failed", notReadyBecause: /broke/, notice: "CniPluginsFailed" },
    ],
    ["it failed, and others are desired", failed, { desired: older }, { notReadyBecause: /broke/ }],
    [
        "it failed, and the annotation names plugins that are not pinned",
        failed,
        { desired: { refusal: "no" } },
        { notReadyBecause: /broke/ },
    ],
    ["it failed, and another pod retries", failed, { pod: "other" }, { notReadyBecause: /broke/ }],
];

describe("what the node-agent does about CNI plugins if", () => {
    for (const [title, journal, state, expected] of table) {
        it(title, () => {
            const decision = decideCniPlugins(journal, observed({ node: cordoned, ...state }));
            assert.deepEqual(decision.actions, expected.actions ?? []);
            assert.equal(decision.journal.phase, expected.phase ?? "idle");
            assert.equal(decision.notice?.reason, expected.notice);
            if (expected.notReadyBecause) assert.match(decision.notReadyBecause ?? "", expected.notReadyBecause);
            else assert.equal(decision.notReadyBecause, undefined);
        });
    }
});
