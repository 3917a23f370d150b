import type { Cluster } from "../model";

const ctr = "/usr/bin/ctr --namespace tradewind";

export interface AgentRun {
    /** The container's name, of which there is one at a time. */
    readonly container: string;
    /** Directories of the host, `source` where the container has it under another path. */
    readonly mounts: readonly { readonly path: string; readonly source?: string; readonly mode: "rw" | "ro" }[];
    readonly command: string;
    /** A directive to go before the image is pulled, a newline at its end. @default none */
    readonly before?: string;
}

/** The directives by which a systemd service runs an agent in a container of its own, without a kubelet. */
export function agentRun({ images }: Cluster, { container, mounts, command, before = "" }: AgentRun): string {
    const binds = mounts.map(
        ({ path, source = path, mode }) => `    --mount type=bind,src=${source},dst=${path},options=rbind:${mode} \\`,
    );
    return `# What a killed run left behind.
ExecStartPre=-${ctr} tasks kill --signal SIGKILL ${container}
ExecStartPre=-${ctr} containers delete ${container}
ExecStartPre=-${ctr} snapshots delete ${container}
# A containerd that restarts while the container ends forgets it and keeps its name: that is taken until its shim is gone.
ExecStartPre=-/usr/bin/pkill --full --signal KILL -- "-namespace tradewind -id ${container} "
${before}# A connection that went dead without a word is never given up by itself.
ExecStartPre=/usr/bin/timeout 180 ${ctr} images pull --hosts-dir /etc/containerd/certs.d ${images.node}
ExecStart=${ctr} run --rm --net-host \\
${binds.join("\n")}
    ${images.node} ${container} \\
    ${command}`;
}
