import type { EtcdJoinPlan } from "../../../agents/etcd/join/plan";
import type { EtcdUpdatePlan } from "../../../agents/etcd/update/plan";
import type { Member } from "../../../clients/etcd/client";
import { etcdNames } from "../../../cluster/keys/certificates";
import type { Cluster } from "../../../cluster/model";
import type { ClusterOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";
import { until } from "../until";
import type { ApiPod } from "./api-pod";
import { EtcdAuthority } from "./certificates";
import { Controller } from "./controller";

let clusters = 0;

/** Controllers of which the first has the only etcd member, as after the pivot. */
export class EtcdCluster {
    controllers: readonly Controller[];
    readonly #cluster: Cluster;
    readonly #block: string;
    readonly #authority = new EtcdAuthority();
    readonly #authorities = [this.#authority];

    readonly #count: number;

    constructor(count: 1 | 3 | 5 = 3, options: Partial<ClusterOptions> = {}) {
        this.#count = count;
        this.#cluster = this.#with(options);
        // Loopback addresses that no other test uses, including other clusters of this process.
        this.#block = `127.${64 + (process.pid % 64)}.${clusters++ % 256}`;
        this.controllers = this.#cluster.controllers.names.map((name, index) => this.#machine(name, 11 + index));
    }

    #machine(name: string, host: number): Controller {
        const address = `${this.#block}.${host}`;
        return new Controller(this.#cluster, this.#authority, { name, address }, `${this.#block}.${100 + host}`);
    }

    /** Recreates a controller's machine at another address, with the disk of its etcd. */
    async replace(controller: Controller): Promise<Controller> {
        const index = this.controllers.indexOf(controller);
        const made = this.#machine(controller.machine.name, 31 + index);
        await controller.moveDataTo(made);
        await controller.remove();
        this.controllers = this.controllers.with(index, made);
        return made;
    }

    async start(): Promise<void> {
        this.first.startFirst();
        await until("the first member to serve", () =>
            this.first.members().then(
                () => true,
                () => false,
            ),
        );
    }

    get first(): Controller {
        return this.controllers[0]!;
    }

    /** The plan of a further controller, as created by the stack. */
    plan(controller: Controller, change?: Partial<EtcdJoinPlan>): string {
        const others = this.controllers.filter((other) => other !== controller);
        return controller.writePlan(
            others.map(({ machine }) => machine),
            change,
        );
    }

    /** The plan of another etcd for a controller's member, as created by `up`. */
    updatePlan(controller: Controller, options: Partial<ClusterOptions>, change?: Partial<EtcdUpdatePlan>): string {
        const members = this.controllers.map(({ machine }) => machine);
        return controller.writeUpdate(this.#with(options), members, change);
    }

    /** The API pod that runs a controller's member. */
    startPod(controller: Controller, options: Partial<ClusterOptions>): ApiPod {
        return controller.startPod(this.#with(options));
    }

    #with(options: Partial<ClusterOptions>): Cluster {
        return resolveCluster({ ...options, name: "c", controllers: { count: this.#count } });
    }

    /** Another certificate for a controller's member, which keeps its key. */
    renew({ machine, certificate }: Controller, authority = this.#authority): string {
        const { name, address } = machine;
        return authority.renew(name, certificate.key, etcdNames(this.#cluster, name, address));
    }

    /** Another certificate for a controller's member, issued by the first of these CAs, all of which it must trust. */
    offer(controller: Controller, generations: readonly number[] = [1]): string {
        const authorities = generations.map((generation) => this.authority(generation));
        return controller.writeCertificatesPlan(generations, {
            "ca.crt": authorities.map(({ ca }) => ca).join(""),
            "member.crt": this.renew(controller, authorities[0]),
        });
    }

    /** The cluster's original CA is the first. */
    authority(generation: number): EtcdAuthority {
        while (this.#authorities.length < generation) this.#authorities.push(new EtcdAuthority());
        return this.#authorities[generation - 1]!;
    }

    /** Writes a value that every member must have in the end. */
    async put(key: string, value: string): Promise<void> {
        await this.first.ask("kv/put", { key: base64(key), value: base64(value) });
    }

    /** A member's own value of the key, without consulting the others. */
    async ownValue(controller: Controller, key: string): Promise<string | undefined> {
        const { kvs } = await controller.ask("kv/range", { key: base64(key), serializable: true });
        const [entry] = (kvs as { value: string }[] | undefined) ?? [];
        return entry && Buffer.from(entry.value, "base64").toString();
    }

    /** `name` of each voter, `name (learner)` of each learner, sorted. */
    async roll(): Promise<string[]> {
        const describe = ({ name, isLearner }: Member) => `${name}${isLearner ? " (learner)" : ""}`;
        return (await this.first.members()).map(describe).sort();
    }

    async remove(): Promise<void> {
        await Promise.all(this.controllers.map((controller) => controller.remove()));
        for (const authority of this.#authorities) authority.remove();
    }
}

function base64(text: string): string {
    return Buffer.from(text).toString("base64");
}
