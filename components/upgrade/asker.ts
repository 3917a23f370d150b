import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { ApiError, describeError, isTransient } from "../../clients/kubernetes/api-error";
import type { Cluster } from "../../cluster/model";
import { plainError } from "../pulumi/errors";
import { log } from "../pulumi/log";

/** Warning about unchecked changes. One line, because every preview repeats it until the API responds. */
export function notChecked({ name }: Cluster, why: string, isPreview: boolean): string {
    return `${name}: upgrade checks were skipped because the API is unreachable: ${why}; ${advice(isPreview)}`;
}

function advice(isPreview: boolean): string {
    return `run \`tradewind status\` to see what is wrong${isPreview ? ", and run the preview again once the API responds" : ""}`;
}

/** Runs a check; returns the fallback, after a warning, if it could not be done and that is no error. */
type Ask = <T, F>(what: string, check: () => Promise<T>, fallback: F) => Promise<T | F>;

/**
 * Errors of the API are no findings of a check. `up` retries those that may pass, and fails: an upgrade without its
 * checks and its snapshot may lose data.
 *
 * @param patience - seconds to retry for. @default - what could not be checked is a warning
 */
export function asker(cluster: Cluster, component: pulumi.Resource, patience: number | undefined): Ask {
    return async (what, check, fallback) => {
        const deadline = performance.now() + (patience ?? 0) * 1000;
        for (;;) {
            try {
                return await check();
            } catch (error) {
                // A finding.
                if (error instanceof pulumi.RunError) throw error;
                const mayPass = isTransient(error) && performance.now() < deadline;
                if (!mayPass && patience === undefined) {
                    await log.warn(skipped(cluster, what, error), component);
                    return fallback;
                }
                if (!mayPass) throw plainError(unanswered(cluster, what, error));
            }
            await sleep(Math.min(1_000, Math.max(0, deadline - performance.now())));
        }
    };
}

function skipped(cluster: Cluster, what: string, error: unknown): string {
    const isPreview = pulumi.runtime.isDryRun();
    const why = describeError(error);
    if (!(error instanceof ApiError) && isTransient(error)) return notChecked(cluster, why, isPreview);
    return `${cluster.name}: ${what} could not be checked: ${why}; ${advice(isPreview)}`;
}

function unanswered({ name }: Cluster, what: string, error: unknown): string {
    const [why, next] = [describeError(error), "and try again once that is repaired"];
    return `${name}: ${what} could not be checked, nothing in the cluster was changed: ${why}; ${advice(false)}, ${next}`;
}
