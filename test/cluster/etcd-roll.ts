import assert from "node:assert/strict";
import type { TestCluster } from "./cluster";

const pki = "/etc/kubernetes/pki/etcd";

interface Member {
    readonly ID: string;
    readonly name?: string;
    readonly isLearner?: boolean;
}

async function ask<T>(
    cluster: TestCluster,
    machine: string,
    path: string,
    body: object = { linearizable: true },
): Promise<T> {
    const answer = await cluster.exec(
        machine,
        `curl -sS --fail --cacert ${pki}/ca.crt --cert ${pki}/member.crt --key ${pki}/member.key ` +
            `-d '${JSON.stringify(body)}' https://127.0.0.1:2379/v3/${path}`,
    );
    return JSON.parse(answer);
}

async function list(cluster: TestCluster, machine: string): Promise<readonly Member[]> {
    return (await ask<{ members: Member[] }>(cluster, machine, "cluster/member/list")).members;
}

/** The etcd members according to a machine's own member; a learner is marked. */
export async function etcdMembers(cluster: TestCluster, machine: string): Promise<string[]> {
    const members = await list(cluster, machine);
    return members.map(({ name = "unnamed", isLearner }) => (isLearner ? `${name} (learner)` : name)).sort();
}

/** Throws unless there are three voters without a lost controller, according to a machine's own member. */
export async function threeVotersWithout(lost: string, cluster: TestCluster, machine: string): Promise<void> {
    const members = await etcdMembers(cluster, machine);
    assert.ok(!members.includes(lost), `${lost} is no member (got ${members.join(", ")})`);
    assert.ok(members.length === 3 && !members.join().includes("learner"), members.join(", "));
}

/** The controller whose member leads. */
export async function etcdLeader(cluster: TestCluster, machine: string): Promise<string> {
    const { leader } = await ask<{ leader: string }>(cluster, machine, "maintenance/status");
    return (await list(cluster, machine)).find(({ ID }) => ID === leader)!.name!;
}

/** Moves leadership to a controller's member. */
export async function leadEtcd(cluster: TestCluster, machine: string): Promise<void> {
    const leader = await etcdLeader(cluster, machine);
    if (leader !== machine) {
        const { ID: targetID } = (await list(cluster, machine)).find(({ name }) => name === machine)!;
        await ask(cluster, leader, "maintenance/transfer-leadership", { targetID });
    }
}

/** The values of a key prefix in etcd, according to a machine's own member. */
export async function storedIn(cluster: TestCluster, machine: string, beginning: string): Promise<Buffer[]> {
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const end = beginning.slice(0, -1) + String.fromCharCode(beginning.charCodeAt(beginning.length - 1) + 1);
    const range = { key: base64(beginning), range_end: base64(end) };
    const { kvs = [] } = await ask<{ kvs?: { value: string }[] }>(cluster, machine, "kv/range", range);
    return kvs.map(({ value }) => Buffer.from(value, "base64"));
}
