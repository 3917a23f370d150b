import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeeperPlan } from "../../../agents/etcd/keeper/plan";
import { Snapshots } from "../../../agents/etcd/keeper/snapshots";
import { etcdKeeperPlan } from "../../../cluster/manifests/etcd/etcd-keeper";
import { paths } from "../../../cluster/paths";
import { resolveCluster } from "../../../cluster/resolve";
import { EtcdCluster } from "../etcd-join/cluster";
import { binary } from "../kubernetes-fixture/binaries";

/** A cluster with one etcd member, and the environment of its keeper. */
export class KeeperScene {
    readonly cluster = new EtcdCluster();
    readonly folder = mkdtempSync(join(tmpdir(), "tradewind-keeper-"));
    readonly lines: string[] = [];

    get first() {
        return this.cluster.first;
    }

    get directory(): string {
        return join(this.folder, "snapshots");
    }

    /** The plan as created by the stack, with this machine's paths. */
    plan(change: Partial<KeeperPlan["snapshots"]> = {}): KeeperPlan {
        const plan = etcdKeeperPlan(resolveCluster({ name: "c" }));
        return {
            ...plan,
            endpoint: `https://${this.first.machine.address}:2379`,
            pki: this.first.path(paths.etcdPki),
            etcdutl: binary("etcdutl"),
            snapshots: { ...plan.snapshots, directory: this.directory, ...change },
        };
    }

    writePlan(plan: object): string {
        const path = join(this.folder, "plan.json");
        writeFileSync(path, JSON.stringify(plan));
        return path;
    }

    snapshots(change: Partial<KeeperPlan["snapshots"]> = {}): Snapshots {
        const log = (line: string) => this.lines.push(line);
        return new Snapshots({ plan: this.plan(change), client: this.first.client, node: "n", log });
    }

    /** The credentials of a store, as mounted in the pod. */
    writeSecrets(name: string, files: Record<string, string>): string {
        const folder = mkdtempSync(join(this.folder, `${name}-`));
        for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
        return folder;
    }

    async remove(): Promise<void> {
        await this.cluster.remove();
        rmSync(this.folder, { recursive: true });
    }
}
