import { command } from "../../command-line/command";
import { required, UsageError, type Values, value, wholeNumber } from "../../command-line/parse";
import { writePrivate } from "../../command-line/private-file";
import { CLUSTER_NAME } from "../../local/options";
import { reachCluster } from "../reach/cluster";
import { sshOptions } from "../reach/ssh";
import { breakGlassKubeconfig } from "./issue";

const options = {
    to: required(value("FILE", "file to write, readable by its owner only")),
    hours: value("N", "validity, which nothing can end early: 1 to 24", wholeNumber(1, 24), { default: 1 }),
    name: value("NAME", "a local cluster", CLUSTER_NAME),
    stack: sshOptions.stack,
};

export const program = command(
    {
        name: "tradewind break-glass",
        about: "Writes a kubeconfig with unlimited permissions for a few hours, for a cluster whose RBAC locks its administrators out.",
        options,
        notes: `The certificate is issued on this machine with the Kubernetes CA in the stack's state. Its user is break-glass, its group system:masters, which kube-apiserver allows everything.

Examples:
  tradewind break-glass --stack prod --to break-glass.kubeconfig
  kubectl --kubeconfig break-glass.kubeconfig get clusterrolebindings

If only the administrators' binding is missing, pulumi up restores it.`,
    },
    breakGlass,
);

async function breakGlass({ to, hours, name, stack }: Values<typeof options>): Promise<number> {
    const { access, machines } = await reachCluster({ name, stack });
    if (machines === undefined) throw new UsageError("break-glass needs the cluster's stack; use --name or --stack");
    if (access.connection === undefined) throw new Error(`${access.name} has no kubeconfig yet`);
    const { credentials } = await machines.record();
    const { text, end } = breakGlassKubeconfig(access.name, access.connection.server, credentials, hours);
    writePrivate(to, text);
    console.log(`${to}: user break-glass of system:masters, until ${end.toISOString()}. Delete it when you are done.`);
    return 0;
}
