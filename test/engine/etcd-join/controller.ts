import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { EtcdJoinPlan } from "../../../agents/etcd/join/plan";
import type { EtcdStaticPod } from "../../../agents/etcd/update/manifest";
import type { EtcdUpdatePlan } from "../../../agents/etcd/update/plan";
import { EtcdClient, type EtcdCredentials, type Member } from "../../../clients/etcd/client";
import { etcdNames } from "../../../cluster/keys/certificates";
import type { KeyPair, Machine } from "../../../cluster/keys/credentials";
import { firstStart } from "../../../cluster/machines/bootstrap/assets";
import { etcdCertificatesPlan } from "../../../cluster/manifests/etcd/etcd-certificates";
import { etcdJoinPlan } from "../../../cluster/manifests/etcd/etcd-join";
import { etcdUpdatePlan } from "../../../cluster/manifests/etcd/etcd-update";
import { clientUrl, etcdStaticPod, peerUrl } from "../../../cluster/manifests/etcd/member";
import { ownPath } from "../../../cluster/manifests/etcd/scripts";
import type { Cluster } from "../../../cluster/model";
import { paths } from "../../../cluster/paths";
import { etcdChanges } from "../../../components/upgrade/etcd-changes";
import { ApiPod } from "./api-pod";
import type { EtcdAuthority } from "./certificates";
import { etcdOf, StandInKubelet } from "./kubelet";

/** A controller as far as etcd is concerned: a folder for its disk, and its own loopback addresses. */
export class Controller {
    readonly machine: Machine;
    readonly folder: string;
    readonly certificate: KeyPair;
    /** Stands for 127.0.0.1 on its own machine. */
    readonly localhost: string;
    /** Whether peers reach the member through a proxy that a test can cut. */
    isBehindProxy = false;
    readonly #cluster: Cluster;
    /** The client certificate and the trusted CAs of its member's clients. */
    access: EtcdCredentials;
    kubelet: StandInKubelet;

    constructor(cluster: Cluster, authority: EtcdAuthority, machine: Machine, localhost: string) {
        this.machine = machine;
        this.folder = mkdtempSync(join(tmpdir(), `tradewind-${machine.name}-`));
        this.certificate = authority.issue(machine.name, etcdNames(cluster, machine.name, machine.address));
        this.localhost = localhost;
        this.#cluster = cluster;
        this.access = { ca: authority.ca, ...this.certificate };
        this.kubelet = this.#boot();
    }

    /** The first member, which is started by its node config. */
    startFirst(): void {
        const { machine } = this;
        const initialCluster = `${machine.name}=${peerUrl(machine)}`;
        const pod = etcdStaticPod(this.#cluster, { machine, initialCluster, initialClusterState: "new" });
        this.#writeCertificates(this.path(paths.etcdPki));
        writeFileSync(this.path(`${paths.staticPods}/etcd.json`), this.here(JSON.stringify(pod)));
    }

    /** Writes the plan and its certificates as the Job mounts them, and returns the plan's path. */
    writePlan(others: readonly Machine[], change: Partial<EtcdJoinPlan> = {}): string {
        const plan = JSON.parse(this.here(JSON.stringify(etcdJoinPlan(this.#cluster, this.machine, others))));
        const source = join(this.folder, "source");
        mkdirSync(source, { recursive: true });
        this.#writeCertificates(source);
        const path = join(source, "plan.json");
        writeFileSync(path, JSON.stringify({ ...plan, ...change }));
        return path;
    }

    /** Writes what the Job of other certificates mounts, and returns the plan's path. */
    writeCertificatesPlan(keys: readonly number[], files: Readonly<Record<string, string>>): string {
        const cluster = { ...this.#cluster, keys: { ...this.#cluster.keys, etcdCa: keys } };
        const { api, ...plan } = etcdCertificatesPlan(cluster, this.machine.name);
        const source = join(this.folder, "certificates");
        mkdirSync(source, { recursive: true });
        // Each test cluster has its own loopback addresses, and certificates contain only one of them.
        const url = clientUrl(this.machine);
        const here = { ...JSON.parse(this.here(JSON.stringify(plan))), url, timeoutSeconds: 30 };
        for (const [name, text] of Object.entries({ ...files, "plan.json": JSON.stringify(here) })) {
            writeFileSync(join(source, name), text);
        }
        return join(source, "plan.json");
    }

    /** Writes the plan of an update as the Job mounts it, and returns its path. */
    writeUpdate(cluster: Cluster, members: readonly Machine[], change: Partial<EtcdUpdatePlan> = {}): string {
        const { image, command } = this.staticPod.spec.containers[0]!;
        const digest = `sha256:${"0".repeat(64)}`;
        const [{ start } = { start: firstStart(this.machine) }] = etcdChanges(
            { ...cluster, controllers: { ...cluster.controllers, names: [this.machine.name] } },
            // As the API shows it: with the machine's own paths.
            [{ node: this.machine.name, image, command, digest }],
        );
        const plan: EtcdUpdatePlan = JSON.parse(
            this.here(JSON.stringify(etcdUpdatePlan(cluster, { id: "update", start, members, digest }))),
        );
        const path = join(this.folder, "update.json");
        const program = etcdOf(cluster.images.etcd);
        writeFileSync(path, JSON.stringify({ ...plan, program, ...change }));
        return path;
    }

    /** What its kubelet should run. */
    get staticPod(): EtcdStaticPod {
        return JSON.parse(readFileSync(this.path(`${paths.staticPods}/etcd.json`), "utf8"));
    }

    /** A path of the machine, in its folder. */
    path(machinePath: string): string {
        return join(this.folder, "disk", machinePath);
    }

    /** A client of this member only. */
    get client(): EtcdClient {
        return new EtcdClient([`https://${this.machine.address}:2379`], () => this.access);
    }

    members(): Promise<readonly Member[]> {
        return this.client.members();
    }

    /** Queries this member only, through its JSON gateway. */
    async ask(path: string, body: object): Promise<Record<string, unknown>> {
        const options = { method: "POST", ...this.access, agent: false as const };
        const sent = request(`https://${this.machine.address}:2379/v3/${path}`, options).end(JSON.stringify(body));
        const [answer] = await once(sent, "response");
        return (await json(answer)) as Record<string, unknown>;
    }

    /** Recreates the machine: only its name and address stay. */
    async replace(): Promise<void> {
        await this.kubelet.cutPower();
        rmSync(join(this.folder, "disk"), { recursive: true });
        this.kubelet = this.#boot();
    }

    /** Another machine with this one's etcd disk, and nothing else of it. */
    async moveDataTo(other: Controller): Promise<void> {
        await this.kubelet.cutPower();
        const [from, to] = [this, other].map((each) => each.path(paths.etcdMemberData)) as [string, string];
        renameSync(from, to);
    }

    /** The API pod that should run its member. */
    startPod(cluster: Cluster): ApiPod {
        return new ApiPod(cluster, this);
    }

    async remove(): Promise<void> {
        await this.kubelet.cutPower();
        rmSync(this.folder, { recursive: true });
    }

    /** Starts it after a power cut; pulling the pod's image takes `imageMilliseconds`. */
    restart(imageMilliseconds = 0): void {
        this.kubelet = this.#boot(imageMilliseconds);
    }

    #boot(imageMilliseconds = 0): StandInKubelet {
        for (const path of [paths.staticPods, paths.etcdData]) {
            mkdirSync(this.path(path), { recursive: true, mode: 0o700 });
        }
        const manifest = this.path(`${paths.staticPods}/etcd.json`);
        const kubelet = new StandInKubelet(manifest, this.machine.name, this.path(paths.podLogs));
        kubelet.start(imageMilliseconds);
        return kubelet;
    }

    #writeCertificates(folder: string): void {
        mkdirSync(folder, { recursive: true });
        const { ca, cert, key } = this.access;
        for (const [name, text] of Object.entries({ "ca.crt": ca, "member.crt": cert, "member.key": key })) {
            writeFileSync(join(folder, name), text, { mode: 0o600 });
        }
    }

    /** The same text with this machine's folder and loopback address. */
    here(text: string): string {
        return [paths.etcdPki, paths.staticPods, paths.podLogs, paths.etcdData, paths.etcdUpdateState, ownPath]
            .reduce((all, path) => all.replaceAll(path, this.path(path)), text)
            .replaceAll("127.0.0.1", this.localhost)
            .replace(
                `--listen-peer-urls=${peerUrl(this.machine)}`,
                `--listen-peer-urls=https://${this.isBehindProxy ? this.localhost : this.machine.address}:2380`,
            );
    }
}
