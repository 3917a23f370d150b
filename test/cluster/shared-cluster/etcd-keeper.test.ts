import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "yaml";
import type { MembersStatus, SnapshotStatus } from "../../../agents/etcd/keeper/status";
import { programPath } from "../../../artifacts/programs";
import { bundleAgent } from "../../../bundling/agents";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import {
    etcdRestorePath,
    etcdRestorePlan,
    etcdRestoreScript,
} from "../../../cluster/machines/bootstrap/recovery-assets";
import { resolveCluster } from "../../../cluster/resolve";
import { snapshotNow } from "../../../components/upgrade/etcd-snapshot";
import { eventually, type KubernetesObject, readText } from "../cluster";
import { shared, sharedCluster } from "../shared";

const controller = "test-controller-0";

/** Objects for comparison: only their status changes on its own. */
const kinds = [
    "namespaces",
    "configmaps",
    "secrets",
    "services",
    "serviceaccounts",
    "daemonsets",
    "deployments",
    "roles",
];

function apiClient(): ApiClient {
    const { clusters, users } = parse(readText(shared.kubeconfig));
    const decoded = (from: Record<string, string>, name: string) =>
        Buffer.from(from[`${name}-data`]!, "base64").toString();
    const [{ cluster }] = clusters;
    const [{ user }] = users;
    return new ApiClient(cluster.server, () => ({
        ca: decoded(cluster, "certificate-authority"),
        cert: decoded(user, "client-certificate"),
        key: decoded(user, "client-key"),
    }));
}

/** Every object of the kinds, without constantly changing fields. */
async function objects(): Promise<Record<string, unknown>> {
    const { items } = await shared.get<{ items: KubernetesObject[] }>(kinds.join(","), "--all-namespaces");
    const known = items.map((item): [string, unknown] => {
        const { kind, metadata, status, ...content } = item as KubernetesObject & Record<string, unknown>;
        const { namespace = "", name, uid } = metadata as typeof metadata & { namespace?: string; uid?: string };
        return [`${kind} ${namespace}/${name}`, { uid, labels: metadata.labels, ...content }];
    });
    return Object.fromEntries(known.filter(([key]) => key !== "ConfigMap kube-system/etcd-status"));
}

/** Writes a text to the controller; its size must fit a command line. */
function put(path: string, text: string): Promise<string> {
    return shared.exec(controller, `echo ${gzipSync(text).toString("base64")} | base64 -d | gunzip > ${path}`);
}

describe("etcd-keeper", function () {
    this.timeout(300_000);
    let taken: SnapshotStatus;

    const status = async <T>(part: "members" | "snapshot"): Promise<T> => {
        const { data } = await shared.get<{ data: Record<string, string> }>(
            "configmap",
            "etcd-status",
            "-n",
            "kube-system",
        );
        return JSON.parse(data[part]!);
    };
    const value = async () => (await shared.get<{ data: { key: string } }>("configmap", "etcd-keeper-test")).data.key;

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("reports the members", async () => {
        const { members, alarms, problem } = await eventually("the status", () => status<MembersStatus>("members"));
        assert.deepEqual(
            members.map(({ name, isLeader, problem }) => [name, isLeader, problem]),
            [[controller, true, undefined]],
        );
        assert.equal(members[0]!.quota, 4 * 2 ** 30);
        assert.deepEqual([alarms, problem], [[], undefined]);
    });

    it("takes a snapshot on request, which etcd's own tool can read", async () => {
        await shared.kubectl("create", "configmap", "etcd-keeper-test", "--from-literal=key=before");
        taken = await snapshotNow(apiClient());
        const { last, directory } = taken;
        assert.deepEqual((await status<SnapshotStatus>("snapshot")).last, last);
        const folder = mkdtempSync(join(tmpdir(), "tradewind-snapshot-"));
        try {
            const file = join(folder, "snapshot.db");
            const text = await shared.exec(controller, `gzip -c ${directory}/${last!.name}.db | base64`);
            writeFileSync(`${file}.gz`, Buffer.from(text, "base64"));
            execFileSync("gunzip", [`${file}.gz`]);
            const read = execFileSync(programPath("etcdutl"), ["snapshot", "status", file, "-w", "json"]);
            const { revision, totalKey } = JSON.parse(read.toString());
            assert.deepEqual([revision, totalKey], [last!.revision, last!.keys]);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    it("restores it on the same machine, with every object unchanged", async () => {
        const before = await objects();
        await shared.kubectl("create", "configmap", "etcd-keeper-later", "--from-literal=key=later");
        await shared.kubectl("patch", "configmap", "etcd-keeper-test", "-p", '{"data":{"key":"after"}}');
        const { status: node } = await shared.get<{ status: { addresses: { address: string }[] } }>("node", controller);
        const machine = { name: controller, address: node.addresses[0]!.address };
        const source = { file: `${taken.directory}/${taken.last!.name}.db` };
        await shared.exec(controller, `mkdir -p ${etcdRestorePath}`);
        await put(`${etcdRestorePath}/etcd-keeper.js`, bundleAgent("etcd-keeper"));
        await put(`${etcdRestorePath}/plan.json`, JSON.stringify(etcdRestorePlan({ id: "test", source, machine })));
        await put(
            `${etcdRestorePath}/restore`,
            etcdRestoreScript(resolveCluster({ name: "test", imageDigests: false })),
        );

        const start = Date.now();
        const output = await shared.exec(controller, `sh ${etcdRestorePath}/restore`);
        assert.match(output, /test-controller-0 serves the snapshot's data/);
        const restored = Date.now();
        await eventually("the API to serve the restored data", async () => assert.equal(await value(), "before"), 120);
        console.log(`        restored in ${restored - start} ms, the API after ${Date.now() - start} ms`);

        await eventually("every object is unchanged", async () => assert.deepEqual(await objects(), before), 60);
        await shared.kubectl("create", "configmap", "etcd-keeper-new", "--from-literal=key=new");
        const made = await shared.get<{ metadata: { resourceVersion: string } }>("configmap", "etcd-keeper-new");
        assert.ok(Number(made.metadata.resourceVersion) > 1_000_000_000, "the revision went back");
    });

    after(() => shared.kubectl("delete", "configmap", "etcd-keeper-test", "etcd-keeper-new", "--ignore-not-found"));
});
