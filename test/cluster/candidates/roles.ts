import assert from "node:assert/strict";
import { type Controllers, controllersConfig, controllersKey } from "../../../agents/nodes/promoter/record";
import { isReady, type Node } from "../../../clients/kubernetes/objects";
import { controllerLabel } from "../../../cluster/labels";
import { eventually, type TestCluster } from "../cluster";
import { etcdMembers } from "../etcd-roll";

/** The record of who is a controller. */
export async function rolesOf(cluster: TestCluster): Promise<Controllers> {
    const { data } = await cluster.get<{ data?: Record<string, string> }>(
        ...["-n", "kube-system", "configmap", controllersConfig],
    );
    return JSON.parse(data?.[controllersKey] ?? "{}");
}

/** Names of the nodes with the role, Ready or not. */
export async function controllersOf(cluster: TestCluster): Promise<string[]> {
    const { items } = await cluster.get<{ items: Node[] }>("nodes", "-l", controllerLabel);
    return items.map(({ metadata, status }) => `${metadata.name}${isReady(status) ? "" : " (not Ready)"}`).sort();
}

/** The cluster's controllers are these: voters of etcd that serve the API, and nothing is about to change. */
export async function untilControllersAre(
    cluster: TestCluster,
    names: readonly string[],
    seconds = 180,
): Promise<void> {
    await eventually(
        `the controllers ${names.join(", ")}`,
        async () => {
            assert.deepEqual(await etcdMembers(cluster, names[0]!), [...names].sort());
            assert.deepEqual(await controllersOf(cluster), [...names].sort());
            for (const name of names) {
                assert.equal(await cluster.exec(name, "curl -sk https://127.0.0.1:6443/readyz"), "ok");
            }
            const changing = Object.entries(await rolesOf(cluster)).filter(([, { role }]) =>
                /^(joining|leaving)$/.test(role),
            );
            assert.deepEqual(changing, []);
        },
        seconds,
    );
}

/** What a machine has of a controller: certificates and data of etcd, checkpoints, static pods. */
export async function leftOn(cluster: TestCluster, machine: string): Promise<string[]> {
    const own = ["pki/etcd", "checkpoints", "manifests"].map((name) => `/etc/kubernetes/${name}`);
    const folders = [...own, "/var/lib/tradewind/kept/etc/kubernetes/pki/etcd"];
    const found = await cluster.exec(
        machine,
        `ls -A ${folders.join(" ")} /var/lib/etcd/member-data 2>/dev/null || true`,
    );
    return found.split("\n").filter((line) => line !== "" && !line.endsWith(":"));
}

/** No role has changed for two minutes: until then a lost controller is not replaced. */
export async function untilCalm(cluster: TestCluster): Promise<void> {
    const isCalm = async () => {
        const last = Math.max(0, ...Object.values(await rolesOf(cluster)).map(({ since }) => Date.parse(since)));
        assert.ok(Date.now() - last > 120_000);
    };
    await eventually("two minutes without a change", isCalm, 180);
}
