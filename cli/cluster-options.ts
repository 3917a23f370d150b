import type { ClusterChoice } from "./cluster-access";
import { parseSshOptions, type SshOptions, sshFlags } from "./ssh/options";
import { clusterName } from "./start-options";

const string = { type: "string" } as const;

/** By which a command's line says which cluster is meant, as `parseArgs` takes them. */
export const clusterFlags = { ...sshFlags, name: string, kubeconfig: string, context: string };

type Values = Partial<Record<keyof typeof clusterFlags, string>>;

/** Checks them. Throws `--<option> must be <legal>, got <value>`. */
export function parseClusterOptions(values: Values): ClusterChoice & SshOptions {
    const { name, kubeconfig, context } = values;
    return {
        ...parseSshOptions(values),
        name: name === undefined ? undefined : clusterName(name),
        kubeconfig,
        context,
    };
}
