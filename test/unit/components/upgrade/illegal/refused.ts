import type { ApiClient } from "../../../../../clients/kubernetes/api-client";
import { requireLegalFlags } from "../../../../../cluster/flags/check";
import { resolveCluster } from "../../../../../cluster/resolve";
import { checkUpgrade, whenUpgradable } from "../../../../../components/upgrade/guard";
import { networkHolders, networkHook } from "../../../../../components/upgrade/network-guard";
import { versionHook } from "../../../../../components/upgrade/version-hook";
import { deploy } from "../../../deploy";
import { Created, Owner } from "../owner";
import { shownApi } from "./shown-api";
import { base, reportedCluster, shownCluster } from "./shown-cluster";
import { poolDownloads, type Shown, type Situation } from "./situation";

export interface Outcome {
    /** @default - it was not refused */
    readonly refusal?: string;
    readonly warnings: readonly string[];
}

/**
 * Output of a preview of the change, step by step in the stack's order. Without an engine, the SDK logs to the console.
 */
export async function previewed(situation: Situation): Promise<Outcome> {
    const warnings: string[] = [];
    const { warn, info } = console;
    console.warn = (text: string) => warnings.push(text.replace("[runtime] ", "").trim());
    console.info = () => undefined;
    try {
        const { result } = await deploy(() => ({ checked: check(situation).catch(({ message }) => message) }), {
            isPreview: true,
        });
        const refusal = await result.checked;
        return { ...(refusal !== undefined && { refusal }), warnings };
    } catch (error) {
        return { refusal: (error as Error).message, warnings };
    } finally {
        Object.assign(console, { warn, info });
    }
}

async function check(situation: Situation): Promise<undefined> {
    const cluster = resolveCluster({ ...base, ...situation.desired });
    requireLegalFlags(cluster);
    if (situation.lacksIssuer) {
        const access = { kubeconfig: new Created("authority").pem, lacksIssuer: Promise.resolve(true) };
        const { kubeconfig } = whenUpgradable(cluster, access, new Created("pivot"), new Owner());
        await (kubeconfig as unknown as { promise(): Promise<string> }).promise();
    }
    const reported = reportedCluster(situation.reported);
    const shown = shownCluster(reported, situation);
    const api = situation.apiError
        ? ({ call: () => Promise.reject(situation.apiError) } as unknown as ApiClient)
        : shownApi([...shown, ...(situation.runs ?? [])], metricsOf(situation.runs), situation.refused);
    const downloads = poolDownloads(cluster.versions.kubernetes, situation.desiredDownloads);
    const { wasAsked } = await checkUpgrade(api, cluster, new Owner(), downloads);
    const apiserverOf = (each: readonly Shown[]) =>
        each.find(({ kind, metadata }) => kind === "DaemonSet" && metadata.name === "kube-apiserver");
    const before = shownCluster(
        reportedCluster({ ...situation.reported, kubernetesVersion: situation.before }),
        situation,
    );
    const oldOutputs = apiserverOf(shown);
    const oldInputs = situation.before === undefined ? oldOutputs : apiserverOf(before);
    await versionHook(cluster, () => wasAsked).callback({ oldInputs, oldOutputs } as never);
    for (const holder of networkHolders) {
        const set = shown.find(({ kind, metadata }) => kind === "DaemonSet" && metadata.name === holder);
        await networkHook(cluster).callback({ oldInputs: set } as never);
    }
    return undefined;
}

function metricsOf(runs: readonly Shown[] = []): string {
    return runs.flatMap(({ kind, text }) => (kind === "Metrics" ? [String(text)] : [])).join("\n");
}
