import { Cluster } from "./cluster";
import type { Config } from "./config";
import { hasNamespace, type Kind } from "./kind";
import { type Connection, connectionOf } from "./kubeconfig";

/** The cluster and whether it can be reached. As in the official plugin that is found out once, when it is configured. */
export class Reach {
    private probed?: Promise<Error | undefined>;

    private constructor(
        private readonly connected: Cluster | undefined,
        private readonly obstacle: Error | undefined,
        readonly namespace: string,
    ) {}

    static of(config: Config): Reach {
        let connection: Connection;
        try {
            connection = connectionOf(config.kubeconfig, config);
        } catch (error) {
            return new Reach(
                undefined,
                unreachable(`failed to parse kubeconfig: ${(error as Error).message}`),
                "default",
            );
        }
        return new Reach(new Cluster(connection), undefined, connection.namespace);
    }

    static unconfigured(): Reach {
        return new Reach(undefined, unreachable("the provider is not configured"), "default");
    }

    async isReachable(): Promise<boolean> {
        return (await this.probe()) === undefined;
    }

    /** @throws when it cannot be reached */
    async cluster(): Promise<Cluster> {
        const cluster = await this.clusterIfReachable();
        if (!cluster) throw await this.problem();
        return cluster;
    }

    async clusterIfReachable(): Promise<Cluster | undefined> {
        return (await this.isReachable()) ? this.connected : undefined;
    }

    /** Why it cannot be reached. */
    async problem(): Promise<Error> {
        return (await this.probe()) ?? unreachable("unknown reason");
    }

    /** Kinds that nobody can tell about are taken to have a namespace, as most have. */
    async isNamespaced(kind: Kind): Promise<boolean> {
        const known = hasNamespace(kind);
        if (known !== undefined) return known;
        const cluster = await this.clusterIfReachable();
        return cluster ? cluster.isNamespaced(kind).catch(() => true) : true;
    }

    close(): void {
        this.connected?.close();
    }

    private probe(): Promise<Error | undefined> {
        this.probed ??= this.connected
            ? this.connected.probe().then(() => undefined, explained)
            : Promise.resolve(this.obstacle);
        return this.probed;
    }
}

function explained(error: Error): Error {
    return unreachable(`unable to load schema information from the API server: ${error.message}`);
}

function unreachable(reason: string): Error {
    return new Error(`configured Kubernetes cluster is unreachable: ${reason}`);
}
