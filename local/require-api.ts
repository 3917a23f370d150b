import { existsSync } from "node:fs";
import { type Connection, clientOf, connectionOf } from "../clients/kubernetes/kubeconfig";
import { first, type Patience, whyUnreachable } from "../components/upgrade/api-unreachable";
import type { ClusterState } from "./state";

/** Whether a Pulumi CLI command refreshes resources in the cluster before running the program. */
export function refreshes(args: readonly string[]): boolean {
    const [command = ""] = args;
    if (command === "refresh") return !args.some((arg) => /^--run-program(=true)?$/.test(arg));
    const isOption = (arg: string) => /^--refresh(=true)?$|^-[a-z]*r[a-z]*$/.test(arg);
    return ["up", "update", "preview", "pre"].includes(command) && args.some(isOption);
}

/** @throws if the API does not answer: a refresh would be useless, and plugins would retry for minutes */
export async function requireApi({ name, kubeconfig }: ClusterState): Promise<void> {
    // A cluster that was never ready has nothing to refresh.
    if (!existsSync(kubeconfig)) return;
    const why = await askApi(kubeconfig, first);
    if (why === undefined) return;
    const what = `${name}: the API does not answer, so resources in the cluster cannot be refreshed: ${why}`;
    const start = `npm start${name === "local" ? "" : ` -- --name ${name}`}`;
    throw new Error(
        `${what}. Nothing was changed. Run \`${start}\` to start stopped machines, or \`tradewind status\` for details`,
    );
}

/** Why a local cluster's API does not answer. */
export async function askApi(kubeconfig: string, patience: Patience): Promise<string | undefined> {
    let connection: Connection;
    try {
        connection = connectionOf(kubeconfig, {});
    } catch (error) {
        return `${kubeconfig}: ${(error as Error).message}`;
    }
    return clientOf(connection, "tradewind").closeAfter((api) => whyUnreachable(api, patience));
}
