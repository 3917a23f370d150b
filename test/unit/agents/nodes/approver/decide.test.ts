import assert from "node:assert/strict";
import { type Admissions, type Scene, whyNot, withAdmission } from "../../../../../agents/nodes/approver/decide";
import type { Applicant } from "../../../../../agents/nodes/approver/identify";
import type { Ec2Instance } from "../../../../../clients/aws/ec2-instances";
import type { Node } from "../../../../../clients/kubernetes/objects";
import { domain, instance } from "./asked";

const now = Date.parse("2030-01-01T01:00:00Z");
const worker: Applicant = { pool: "a", node: "c-a-0", aliases: ["c-a-0"], key: "own" };
const id = instance(1);
const pooled: Applicant = {
    pool: "g",
    node: `${id}${domain}`,
    aliases: [id, `${id}${domain}`],
    key: "own",
    instance: { id, group: "c-g" },
};

const joining: Applicant = { pool: "a", node: "rack-1", aliases: ["rack-1"], key: "own", isJoining: true };
const entry = { pool: "a", addresses: [], token: "abcdef", expires: "2030-01-01T01:00:01Z" };
const used = { ...entry, key: "own", joined: "2030-01-01T00:10:00Z" };

const node = (name: string, status: string): Node => ({
    metadata: { name },
    status: { conditions: [{ type: "Ready", status }] },
});
const told = (state: string, group?: string): Ec2Instance => ({
    id,
    state,
    xml: `<tagSet><item><key>Name</key><value>c-g</value></item>${
        group === undefined ? "" : `<item><key>aws:autoscaling:groupName</key><value>${group}</value></item>`
    }</tagSet>`,
});
const admitted = (seconds: number, key: string, name = "c-a-0"): Admissions => ({
    [name]: { key, time: new Date(now - seconds * 1000).toISOString() },
});
const scene = (more: Partial<Scene> = {}): Scene => ({ nodes: [], admissions: {}, now, ...more });
const running = { instance: told("running", "c-g") };

describe("a machine that requests to become a node", () => {
    const cases: Record<string, readonly [Applicant, Partial<Scene>, RegExp | undefined]> = {
        "may if it never was one": [worker, {}, undefined],
        "may not while its Node is Ready": [worker, { nodes: [node("c-a-0", "True")] }, /^node c-a-0 is Ready$/],
        "may if its Node is lost: it is a new machine": [worker, { nodes: [node("c-a-0", "Unknown")] }, undefined],
        "may if its Node has no status yet": [worker, { nodes: [{ metadata: { name: "c-a-0" } }] }, undefined],
        "may not if another machine was just admitted": [
            worker,
            { admissions: admitted(5, "other") },
            /^another machine was admitted as c-a-0 at 2030-01-01T00:59:55/,
        ],
        "may not if that machine has just registered": [
            worker,
            { nodes: [node("c-a-0", "False")], admissions: admitted(20, "other") },
            /^another machine was admitted/,
        ],
        "may again if it lost power before it became a node": [worker, { admissions: admitted(5, "own") }, undefined],
        "may if another one was admitted and never registered": [
            worker,
            { admissions: admitted(121, "other") },
            undefined,
        ],
        "may if another name was just admitted": [worker, { admissions: admitted(1, "other", "c-a-1") }, undefined],
        "may if a clock that was hours ahead wrote the time": [
            worker,
            { admissions: admitted(-7200, "other") },
            undefined,
        ],
        "of a group may if it is running in EC2 and belongs to the group": [pooled, running, undefined],
        "of a group may if it is starting": [pooled, { instance: told("pending", "c-g") }, undefined],
        "of a group may not if EC2 does not list it": [pooled, {}, /^EC2 has no instance i-0+1$/],
        "of a group may not if it belongs to another group": [
            pooled,
            { instance: told("running", "c-other") },
            /^i-0+1 is not in group c-g but in c-other$/,
        ],
        "of a group may not if no group created it, whatever its other tags": [
            pooled,
            { instance: told("running") },
            /^i-0+1 is not in group c-g$/,
        ],
        "of a group may not if it has stopped": [pooled, { instance: told("stopped", "c-g") }, /^i-0+1 is stopped$/],
        "of a group may not if it is terminated": [pooled, { instance: told("terminated", "c-g") }, /is terminated$/],
        "of a group may not if its Node exists, Ready or not": [
            pooled,
            { ...running, nodes: [node(pooled.node, "Unknown")] },
            /^node i-.* exists$/,
        ],
        "of a group may not if it is a node under its other name": [
            pooled,
            { ...running, nodes: [node(id, "True")] },
            /^node i-0+1 exists$/,
        ],
        "of a group may not if another one was just admitted under its other name": [
            pooled,
            { ...running, admissions: admitted(5, "other", id) },
            /^another machine was admitted/,
        ],
        "by a token may until the token expires": [joining, { joined: entry }, undefined],
        "by a token may not after it has expired": [
            joining,
            { joined: { ...entry, expires: "2030-01-01T01:00:00Z" } },
            /^the token for rack-1 expired at 2030-01-01T01:00:00Z$/,
        ],
        "by a token may not after it was revoked": [joining, {}, /^the token for rack-1 was revoked$/],
        "by a token may not if another machine has used it": [
            joining,
            { joined: { ...used, key: "other" } },
            /^the token for rack-1 was used at 2030-01-01T00:10:00Z$/,
        ],
        "by a token may repeat its request, even late": [
            joining,
            { joined: { ...used, expires: "2030-01-01T00:30:00Z" } },
            undefined,
        ],
        "by a token may not while its Node is Ready": [
            joining,
            { joined: used, nodes: [node("rack-1", "True")] },
            /^node rack-1 is Ready$/,
        ],
        "by a token may right after another machine was admitted and reset": [
            joining,
            { joined: entry, admissions: admitted(5, "other", "rack-1") },
            undefined,
        ],
    };
    for (const [what, [applicant, seen, why]] of Object.entries(cases)) {
        it(what, () => {
            const found = whyNot(applicant, scene(seen));
            if (why) assert.match(found ?? "it may", why);
            else assert.equal(found, undefined);
        });
    }
});

describe("the record of an admission", () => {
    it("has every name of the machine, and recent admissions of others", () => {
        const before = { ...admitted(60, "x", "c-a-1"), ...admitted(600, "y", "c-a-2"), ...admitted(60, "z", id) };
        const after = withAdmission(before, pooled, now);
        const own = { key: "own", time: "2030-01-01T01:00:00.000Z" };
        assert.deepEqual(after, { ...admitted(60, "x", "c-a-1"), [id]: own, [pooled.node]: own });
    });
});
