import { statSync } from "node:fs";
import { join } from "node:path";
import { ensure, etcd, kubernetes } from "../../artifacts";
import { binaryPlace, cacheDir } from "../../cache";
import { requireLegalFlags } from "../../cluster/flags/check";
import type { ClusterOptions } from "../../cluster/options";
import { resolveCluster } from "../../cluster/resolve";
import { emulationSteps } from "../../cluster/upgrades/emulation";
import { byVersion, minorOf } from "../../cluster/upgrades/version";
import { UsageError } from "../../command-line/parse";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import { Stages } from "../../local/stages";
import { type EtcdVersion, KUBERNETES_VERSIONS, type KubernetesVersion } from "../../versions";
import { RehearsalApi, RehearsalStore, type Rehearsed } from "./control-plane";
import { listAgain, listBefore } from "./listing";
import { isKept, type RehearsalReport } from "./report";
import { requireRoom } from "./size";

export interface Rehearsal {
    readonly record: RecoveryRecord;
    /** Version to upgrade to. */
    readonly to: KubernetesVersion;
    /** The snapshot's file, and its name for readers. */
    readonly snapshot: { readonly file: string; readonly name: string; readonly time?: string };
    /** A private folder, empty. */
    readonly folder: string;
}

/**
 * Upgrades a copy of a cluster's data: kube-apiserver of each version in turn, with the cluster's flags, admission plugins
 * and keys, reads every object of a snapshot. Then the earlier version reads them again, as after a rollback.
 *
 * Nothing else runs: no controller acts on the objects, no node runs their pods, and connections to webhooks, nodes and
 * other API servers lead nowhere.
 */
export async function rehearse({ record, to, snapshot, folder }: Rehearsal): Promise<RehearsalReport> {
    const { size } = statSync(snapshot.file);
    requireRoom(size, folder);
    const { credentials } = record;
    const current = resolveCluster(record.options);
    const from = requireBuilt(current.versions.kubernetes);
    requireNewer(from, to);
    // Own images belong to one version.
    const { images: _, ...others } = record.options;
    const next = resolveCluster({ ...others, kubernetesVersion: to } as ClusterOptions);
    requireLegalFlags(next);
    const program: Rehearsed["program"] = (name, version) => {
        const part = name.startsWith("etcd") ? etcd(version as EtcdVersion) : kubernetes(version as KubernetesVersion);
        return join(cacheDir(), binaryPlace(part, name));
    };
    const stages = new Stages(6);
    await stages.run("programs", `Kubernetes ${from} and ${to}, etcd ${current.versions.etcd}`, (say) =>
        ensure({
            kubernetes: [from, to],
            etcd: [current.versions.etcd as EtcdVersion],
            only: ["kubernetes", "etcd"],
            say,
        }),
    );
    const old: Rehearsed = { cluster: current, credentials, folder, program };
    const upgraded: Rehearsed = { ...old, cluster: next };
    const store = await stages.run("restore", `${snapshot.name}, ${size} bytes`, () =>
        RehearsalStore.start(old, snapshot.file),
    );
    const withApi = async <T>(
        rehearsed: Rehearsed,
        emulated: string | undefined,
        work: (api: RehearsalApi) => Promise<T>,
    ) => {
        const api = await RehearsalApi.start(rehearsed, store, emulated);
        try {
            return await work(api);
        } finally {
            await api.stop();
        }
    };
    try {
        const before = await stages.run("list", `every object, with Kubernetes ${from}`, (say) =>
            withApi(old, undefined, async ({ client }) => {
                const listed = await listBefore(client);
                say(`${listed.objects.length} objects of ${listed.kinds.length} kinds`);
                for (const [what, why] of listed.leftOut) say(`not compared: ${what}: ${why}`);
                return listed;
            }),
        );
        const steps = emulationSteps(
            { apiserver: minorOf(from), controllers: minorOf(from), hasNewer: false },
            minorOf(to),
        ).filter(({ of }) => of === "apiserver");
        const path = [...steps.map(({ as }) => as), undefined];
        const seconds: Record<string, number> = {};
        const outcome = await stages.run("upgrade", `to Kubernetes ${to}`, async (say) => {
            let last: Awaited<ReturnType<typeof listAgain>> | undefined;
            for (const emulated of path) {
                const title = emulated === undefined ? to : `${to} as ${emulated}`;
                last = await withApi(upgraded, emulated, async (api) => {
                    seconds[title] = api.seconds;
                    say(`kube-apiserver ${title} serves after ${api.seconds.toFixed(1)} s`);
                    return emulated === undefined ? listAgain(api.client, before) : undefined;
                });
            }
            return last!;
        });
        const back = await stages.run("way back", `with Kubernetes ${from} again`, () =>
            withApi(old, undefined, ({ client }) => listAgain(client, before)),
        );
        await stages.run("verdict", isKept(outcome) ? "every object is kept" : "objects are lost", async () => {});
        const { name, time } = snapshot;
        return {
            cluster: record.options.name,
            from,
            to,
            snapshot: { name, bytes: size, ...(time && { time }) },
            startSeconds: seconds,
            leftOut: Object.fromEntries(before.leftOut),
            upgrade: outcome,
            wayBack: back,
            seconds: stages.seconds,
        };
    } finally {
        await store.stop();
    }
}

export function requireNewer(from: string, to: string): void {
    if (byVersion(from, to) < 0) return;
    throw new UsageError(`--kubernetes must be newer than the cluster's version, ${from} (got ${to})`);
}

/** Programs of other versions would have to be known first. */
export function requireBuilt(version: string): KubernetesVersion {
    const known = KUBERNETES_VERSIONS.find((each) => each === version);
    if (known === undefined) {
        throw new UsageError(`a rehearsal runs ${KUBERNETES_VERSIONS.join(", ")} (got ${version})`);
    }
    return known;
}
