import { join } from "node:path";
import { images } from "../../artifacts";
import { type ContainerdVersion, type KubernetesVersion, versions } from "../../artifacts/lock";
import { ask } from "../../clients/http";
import { writePrivate } from "../../command-line/private-file";
import type { Download } from "../../index";
import { waitUntilReady } from "../../local/ready";
import { ensureStack } from "../../local/stack";
import { type StackConfig, writeConfig } from "../../local/stack-config";
import { clusterState, createState, stateRoot } from "../../local/state";
import { pickSubnet } from "../../machines";
import { kubectlPath, type Output, TestCluster } from "./cluster";
import { kubeletFor, runtimeFor, simulatedDomain, whatContainersNeed } from "./simulated-internet";

/** A simulated cloud, as a cluster of it is tested. */
export interface SimulatedCloud<Account> {
    /** Name of the stack: `aws`. */
    readonly cloud: string;
    /** The account of a file. */
    account(path: string): Account;
    /** Makes the file of an account in which is what an owner brings. */
    open(path: string): void;
    /** Keys of the configuration that a stack there needs, with or without a namespace. */
    readonly config: StackConfig;
    /** An administrator's kubeconfig as this computer can use it. */
    usable(kubeconfig: string, account: Account): string;
}

/**
 * A kubeconfig with the address of the API's name, where one is known.
 *
 * Pulumi's programs find the API by its name; kubectl has to be told its address.
 */
export function atAddress(kubeconfig: string, addressOf: (host: string) => string | undefined): string {
    const config = JSON.parse(kubeconfig);
    const { cluster } = config.clusters[0];
    const { hostname, port } = new URL(cluster.server);
    const address = addressOf(hostname);
    if (!address) return kubeconfig;
    const reached = { ...cluster, server: `https://${address}:${port}`, "tls-server-name": hostname };
    return JSON.stringify({ ...config, clusters: [{ ...config.clusters[0], cluster: reached }] });
}

/** A cluster on a simulated cloud: an account of its own, and the stack as a user has it. */
export class SimulatedCluster<Account> extends TestCluster {
    readonly account: Account;

    constructor(
        name: string,
        private readonly of: SimulatedCloud<Account>,
    ) {
        const path = join(stateRoot(), name, `${of.cloud}.json`);
        super(name, { TRADEWIND_SIMULATED_ACCOUNT: path });
        this.account = of.account(path);
    }

    /**
     * Makes the account and the stack.
     *
     * @param config - by the VPC's block
     * @param kubernetesVersion - @default - the newest
     */
    async prepare(
        config: (vpcCidr: string) => StackConfig,
        kubernetesVersion: KubernetesVersion = versions.kubernetes,
    ): Promise<void> {
        const state = createState(this.name);
        this.of.open(this.env.TRADEWIND_SIMULATED_ACCOUNT!);
        const vpcCidr = await pickSubnet(this.name, ["10.2.0.0/16", "10.3.0.0/16"]);
        const keys = { cloud: this.of.cloud, domain: simulatedDomain, vpcCidr, ...this.of.config, ...config(vpcCidr) };
        const all = { ...keys, kubernetesVersion, ...whatContainersNeed(this.name, kubernetesVersion) };
        const qualified = Object.entries(all).map(([key, value]) => [
            key.includes(":") ? key : `tradewind:${key}`,
            value,
        ]);
        writeConfig(state.config, Object.fromEntries(qualified));
        await ensureStack(state);
    }

    /** Configures another Kubernetes version, as its owner does. @param sha256 - of the kubelet. @default - that of the version */
    async setVersion(version: KubernetesVersion, sha256 = this.kubelet(version).sha256): Promise<void> {
        const values = {
            kubernetesVersion: version,
            "downloads.kubelet.urls[0]": this.kubelet(version).urls[0],
            "downloads.kubelet.sha256": sha256,
        };
        const pairs = Object.entries(values).flatMap(([path, value]) => ["--plaintext", `tradewind:${path}=${value}`]);
        await this.pulumi("config", "set-all", "--path", ...pairs);
    }

    /** Has its machines fetch containerd and runc, which their image has not. @param version - of containerd */
    async fetchRuntime(version?: ContainerdVersion): Promise<void> {
        const pairs = Object.entries(runtimeFor(this.name, version)).flatMap(([program, { urls, sha256 }]) => {
            const path = `tradewind:downloads.containerRuntime.${program}`;
            return ["--plaintext", `${path}.urls[0]=${urls[0]}`, "--plaintext", `${path}.sha256=${sha256}`];
        });
        await this.pulumi("config", "set-all", "--path", ...pairs);
    }

    /** The kubelet of a version, as the network's mirror has it. */
    kubelet(version: KubernetesVersion): Download {
        return kubeletFor(this.name, version);
    }

    /** Serves `hello` by HTTP on a port of a node, as an ingress controller would. */
    async serve(node: string, port: number): Promise<void> {
        const program = `require("http").createServer((_, answer) => answer.end("hello")).listen(${port})`;
        const containers = [{ name: "hello", image: images.node, command: ["node", "-e", program] }];
        const spec = { nodeName: node, hostNetwork: true, terminationGracePeriodSeconds: 0, containers };
        await this.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "hello" }, spec });
    }

    /**
     * What a load balancer answers by HTTP, from `serve` or from nobody. Not by `fetch`: of Node 20's, an answer stayed out for
     * ever on a busy computer, with no connection left.
     */
    async served(address: string): Promise<string> {
        return (await ask(`http://${address}/`, {}, 3_000)).text;
    }

    up(...args: string[]): Promise<Output> {
        return this.pulumi("up", "--yes", "--skip-preview", "--non-interactive", ...args);
    }

    /** The URN of a resource of the stack. */
    async urn(type: string, name: string): Promise<string> {
        const { stdout } = await this.pulumi("stack", "export");
        const resources: { urn: string; type: string }[] = JSON.parse(stdout).deployment.resources;
        return resources.find((each) => each.type === type && each.urn.endsWith(`::${name}`))!.urn;
    }

    override async destroy(): Promise<Output> {
        return this.pulumi("destroy", "--yes", "--skip-preview", "--non-interactive");
    }

    /**
     * Waits until every node and every pod is Ready, as the load balancer tells.
     *
     * @param others - names of nodes that the stack does not name
     */
    async ready(others: readonly string[] = []): Promise<void> {
        const outputs = JSON.parse((await this.pulumi("stack", "output", "--json", "--show-secrets")).stdout);
        writePrivate(this.kubeconfig, this.of.usable(outputs.kubeconfig, this.account));
        await waitUntilReady(
            { kubectl: kubectlPath(), kubeconfig: clusterState(this.name).kubeconfig },
            [...outputs.nodes, ...others],
            () => {},
        );
    }
}
