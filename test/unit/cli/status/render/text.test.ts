import assert from "node:assert/strict";
import { type ClusterFacts, known, unknown } from "../../../../../cli/status/facts";
import { judge } from "../../../../../cli/status/judge";
import { colour, noColour, paintFor } from "../../../../../cli/status/render/table";
import { renderJson, renderText } from "../../../../../cli/status/render/text";
import { golden } from "../../../golden";
import { controller, healthy, machine, member, node, parts, pod, refuses, silent, silentMember } from "../sample";

const etcdOfApi = { name: "etcd-x7k2p", origin: "api" } as const;
const savedAt = "2026-11-21T05:30:00.000Z";

/** Contains everything that the text can show, at least once. */
const samples: Record<string, ClusterFacts> = {
    healthy: healthy(
        {
            snapshot: known({
                last: { at: "2026-11-21T05:00:00Z", name: "demo-1", node: "c-0" },
                copy: "s3://backups/demo-1",
            }),
            checkpoints: known(
                ["c-0", "c-1", "c-2"].flatMap((name) =>
                    parts.slice(0, 3).map((component) => ({ node: name, component, savedAt })),
                ),
            ),
        },
        3,
    ),
    "etcd-of-api": healthy({
        pods: known([
            ...parts.map((part) => pod(part, "c-0")),
            pod("etcd", "c-0", etcdOfApi),
            ...parts.map((part) => pod(part, "c-1")),
            pod("etcd", "c-1", { ...etcdOfApi, state: "not-ready", problem: "etcd-member is not ready" }),
        ]),
    }),
    degraded: healthy(
        {
            nodes: known([
                node("c-0"),
                node("c-1", { isReady: false, problem: "Kubelet stopped posting node status." }),
                node("c-2"),
                node("w-0", { isCordoned: true }),
                node("rack-1", { isJoined: true }),
            ]),
            controllers: [
                controller("c-0"),
                controller("c-1", { apiserver: refuses, version: unknown("x") }),
                controller("c-2"),
            ],
            pods: known([
                ...["c-0", "c-2"].flatMap((name) => parts.map((part) => pod(part, name))),
                pod("kube-scheduler", "c-0", { origin: "checkpoint", name: "checkpoint-kube-scheduler-c-0" }),
                pod("kube-apiserver", "c-2", { isEnding: true, restarts: 3 }),
                {
                    ...pod("coredns", "w-0"),
                    component: undefined,
                    state: "not-ready",
                    problem: "coredns: CrashLoopBackOff",
                },
            ]),
            etcd: known({
                members: [
                    member("c-0"),
                    silentMember("c-1"),
                    { ...member("c-2", { dbSize: 1.8 * 2 ** 30 }), isLearner: true },
                ],
                alarms: [{ member: "a0", type: "NOSPACE" }],
            }),
            certificates: [
                { name: "kube-apiserver", notAfter: known("2026-11-25T00:00:00.000Z"), isVerified: true },
                { name: "kube-apiserver", node: "c-0", notAfter: known("2026-11-25T00:00:00.000Z"), isVerified: true },
                { name: "kube-apiserver", node: "c-1", notAfter: unknown("refuses connections"), isVerified: true },
                ...["c-0", "c-1", "c-2", "w-0"].map((name) => ({
                    name: "kubelet",
                    node: name,
                    notAfter: known("2026-12-10T00:00:00.000Z"),
                    isVerified: false,
                })),
            ],
        },
        3,
    ),
    large: healthy({
        nodes: known([
            node("c-0"),
            ...Array.from({ length: 600 }, (_, index) =>
                node(`w-${index}`, {
                    pool: index < 400 ? "web" : "batch",
                    ...(index < 25 && { isReady: false, problem: "Kubelet stopped posting node status." }),
                    ...(index >= 598 && { isCordoned: true, kubelet: "1.35.4" }),
                }),
            ),
        ]),
        unprobedWorkers: 550,
    }),
    "api-down": silent({
        isLocal: true,
        api: { url: "https://10.0.0.3:6443", serving: known({ isReady: false, detail: "closes connections" }) },
        controllers: [controller("c-0", { apiserver: refuses, version: unknown("refuses connections") })],
        pods: known([pod("etcd", "c-0", { state: "running", version: undefined })]),
        machines: known([machine("c-0"), machine("w-0", { state: "exited", inside: unknown("it is exited") })]),
        etcd: known({ members: [member("c-0")], alarms: [] }),
    }),
    unreachable: silent({ controllers: [], certificates: [] }),
};

describe("the text of status", () => {
    for (const [name, facts] of Object.entries(samples)) {
        it(`shows a cluster that is ${name}`, () => {
            golden(__dirname, name, renderText(facts, judge(facts), noColour));
        });
    }

    it("has the same text in color, only on a terminal with colors enabled", () => {
        const facts = samples.degraded!;
        const coloured = renderText(facts, judge(facts), colour);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
        assert.equal(coloured.replaceAll(/\x1b\[\d+m/g, ""), renderText(facts, judge(facts), noColour));
        assert.equal(paintFor({ isTTY: true }, {}), colour);
        assert.equal(paintFor({ isTTY: true }, { NO_COLOR: "1" }), noColour);
        assert.equal(paintFor({ isTTY: true }, { TERM: "dumb" }), noColour);
        assert.equal(paintFor({}, {}), noColour);
    });
});

describe("the JSON of status", () => {
    for (const name of ["healthy", "api-down"]) {
        it(`shows a cluster that is ${name}`, () => {
            const facts = samples[name]!;
            golden(__dirname, `${name}-json`, JSON.parse(renderJson(facts, judge(facts))));
        });
    }

    it("is a single line when watching", () => {
        assert.doesNotMatch(renderJson(samples.healthy!, judge(samples.healthy!)), /\n/);
    });
});
