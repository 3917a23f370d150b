import assert from "node:assert/strict";
import { type Controllers, controllersKey, progressKey, requestKey } from "../../../../agents/nodes/promoter/record";
import { program as demote } from "../../../../cli/demote/command";
import { program } from "../../../../cli/promote/command";
import { requestRole } from "../../../../cli/promote/request";
import type { Call, Caller } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

type Data = Record<string, string>;

const plan = {
    candidates: ["c-default-0"],
    peerUrls: { "c-controller-0": "https://10.0.0.2:2380", "c-default-0": "https://10.0.0.3:2380" },
};

const entry = (role: Controllers[string]["role"], why = "requested by an administrator") => ({ role, why, since: "" });

interface Cluster {
    readonly record?: object;
    /** Names of nodes that are not Ready. */
    readonly lost?: readonly string[];
    /** What the promoter does, one after another, each time the record is read after a request. */
    readonly steps?: readonly ((data: Data) => void)[];
    readonly hasCandidates?: boolean;
}

function fakeApi({ record = {}, lost = [], steps = [], hasCandidates = true }: Cluster): Caller & { writes: object[] } {
    const data: Data = { [controllersKey]: JSON.stringify(record) };
    const left = [...steps];
    const writes: object[] = [];
    const call = async (path: string, { body }: Call = {}) => {
        const name = path.split("/").at(-1)!;
        if (path.includes("/nodes/")) {
            const conditions = [{ type: "Ready", status: lost.includes(name) ? "Unknown" : "True" }];
            const labels = { "etcd.node-restriction.kubernetes.io/member": "leaving" };
            return { metadata: { name, labels }, status: { conditions } } as never;
        }
        if (!hasCandidates) throw new ApiError(404, "not found", "configmaps");
        if (name === "node-promoter") return { data: { "plan.json": JSON.stringify(plan) } } as never;
        if (body !== undefined) {
            writes.push((body as { data: object }).data);
            Object.assign(data, (body as { data: Data }).data);
        } else if (writes.length > 0) {
            left.shift()?.(data);
        }
        return { data: { ...data } } as never;
    };
    return { call, writes };
}

const becomes = (node: string, role: Controllers[string]["role"], why?: string) => (data: Data) => {
    const record = JSON.parse(data[controllersKey]!);
    data[controllersKey] = JSON.stringify({ ...record, [node]: entry(role, why) });
    delete data[requestKey(node)];
};

const waits = (progress: string) => (data: Data) => {
    data[progressKey] = progress;
};

async function run(kind: "promote" | "demote", node: string, cluster: Cluster) {
    const lines: string[] = [];
    const api = fakeApi(cluster);
    const log = (line: string) => void lines.push(line);
    try {
        return { end: await requestRole(api, { kind, node, log, everyMilliseconds: 1 }), lines, writes: api.writes };
    } catch (error) {
        return { end: (error as Error).message, lines, writes: api.writes };
    }
}

describe("tradewind promote and demote", () => {
    it("write a request and show the record until the node has its role", async () => {
        const steps = [
            waits("c-controller-1 must be healthy first"),
            becomes("c-default-0", "joining"),
            waits("c-default-0 receives etcd's data"),
            becomes("c-default-0", "controller"),
        ];
        const { end, lines, writes } = await run("promote", "c-default-0", { steps });
        assert.deepEqual(writes, [{ [requestKey("c-default-0")]: "promote" }]);
        assert.deepEqual(lines, [
            "requested: promote c-default-0",
            "c-default-0: waiting: c-controller-1 must be healthy first",
            "c-default-0: joining: c-controller-1 must be healthy first",
            "c-default-0: joining: c-default-0 receives etcd's data",
        ]);
        assert.equal(end, "c-default-0 is a controller");
    });

    it("continue to wait for what is under way", async () => {
        const record = { "c-default-0": entry("leaving") };
        const { lines, writes } = await run("demote", "c-default-0", { record, lost: ["c-default-0"] });
        assert.deepEqual(writes, []);
        assert.deepEqual(lines, ["c-default-0 is leaving already"]);
    });

    const both = { "c-default-0": entry("controller") };
    const ends: [string, "promote" | "demote", string, Cluster, string | RegExp][] = [
        [
            "an unknown node",
            "promote",
            "x",
            {},
            /^x is neither a controller nor a candidate; those are c-controller-0, /,
        ],
        ["a cluster without candidates", "demote", "x", { hasCandidates: false }, /^this cluster has no candidates/],
        ["a controller", "promote", "c-default-0", { record: both }, "c-default-0 is a controller already"],
        [
            "a lost candidate",
            "promote",
            "c-default-0",
            { lost: ["c-default-0"] },
            "c-default-0 cannot become a controller: its Node is not Ready",
        ],
        [
            "the last controller",
            "demote",
            "c-controller-0",
            {},
            "c-controller-0 is the last controller; promote another node first",
        ],
        [
            "a candidate that fails to join",
            "promote",
            "c-default-0",
            { steps: [becomes("c-default-0", "joining"), becomes("c-default-0", "leaving", "could not join")] },
            "c-default-0 did not become a controller: could not join",
        ],
        [
            "a request that the cluster drops",
            "demote",
            "c-default-0",
            {
                record: both,
                steps: [
                    (data) => {
                        delete data[requestKey("c-default-0")];
                        data[progressKey] = "it is the last controller";
                    },
                ],
            },
            "c-default-0 stays a controller: it is the last controller",
        ],
        [
            "a lost controller",
            "demote",
            "c-default-0",
            { record: both, lost: ["c-default-0"], steps: [becomes("c-default-0", "leaving")] },
            "c-default-0 is no controller any more; its disk is cleaned up when it returns",
        ],
        [
            "a controller that is cleaned up",
            "demote",
            "c-default-0",
            { record: both, steps: [becomes("c-default-0", "leaving"), becomes("c-default-0", "candidate")] },
            "c-default-0 is a candidate",
        ],
    ];
    for (const [what, kind, node, cluster, expected] of ends) {
        it(`${kind} ${what}`, async () => {
            const { end } = await run(kind, node, cluster);
            if (typeof expected === "string") assert.equal(end, expected);
            else assert.match(end, expected);
        });
    }

    it("need exactly one node", async () => {
        await assert.rejects(program.run([]), /missing NODE; see tradewind promote --help/);
        await assert.rejects(demote.run(["a", "b"]), /unexpected argument b; see tradewind demote --help/);
    });
});
