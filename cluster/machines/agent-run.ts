import { runtimeName } from "../images";
import type { Cluster } from "../model";
import { proxyDirective } from "./proxy";

const ctr = "/usr/bin/ctr --namespace tradewind";

export interface AgentRun {
    /** Name of the container; only one with this name runs at a time. */
    readonly container: string;
    /** Directories of the host; `source` if the path differs in the container. */
    readonly mounts: readonly { readonly path: string; readonly source?: string; readonly mode: "rw" | "ro" }[];
    readonly command: string;
    /** Directive to run before the image is pulled, with a newline at its end. @default none */
    readonly before?: string;
}

/** Directives of a systemd service that runs an agent in its own container, without a kubelet. */
export function agentRun(cluster: Cluster, { container, mounts, command, before = "" }: AgentRun): string {
    const image = runtimeName(cluster.images.node);
    const binds = mounts.map(
        ({ path, source = path, mode }) => `    --mount type=bind,src=${source},dst=${path},options=rbind:${mode} \\`,
    );
    return `${proxyDirective(cluster)}# What a killed run left behind.
ExecStartPre=-${ctr} tasks kill --signal SIGKILL ${container}
ExecStartPre=-${ctr} containers delete ${container}
ExecStartPre=-${ctr} snapshots delete ${container}
# If containerd restarts while the container ends, the container's name stays reserved until its shim has exited.
ExecStartPre=-/usr/bin/pkill --full --signal KILL -- "-namespace tradewind -id ${container} "
${before}# A connection that went dead without a word is never given up by itself.
ExecStartPre=/usr/bin/timeout 180 ${ctr} images pull --hosts-dir /etc/containerd/certs.d ${image}
ExecStart=${ctr} run --rm --net-host \\
${binds.join("\n")}
    ${image} ${container} \\
    ${command}`;
}
