import type { ReadOperation } from "../plugin";
import type { Config } from "./config";

/** How to go on when the cluster is gone for good. */
export const HOW_TO_FORGET =
    "If the cluster was deleted, you can remove this resource from Pulumi state by rerunning the operation with the " +
    'PULUMI_K8S_DELETE_UNREACHABLE environment variable set to "true"';

/** What a refresh makes of an object when nobody can tell whether it still is. */
export function readUnreachable({ id, inputs, state, log }: ReadOperation, config: Config, problem: Error) {
    log.warn(problem.message);
    if (config.deleteUnreachable) {
        log.info("deleting the unreachable resource from Pulumi state (`deleteUnreachable`)");
        return undefined;
    }
    if (config.skipUpdateUnreachable) {
        log.info("keeping the state of the unreachable resource as it was (`skipUpdateUnreachable`)");
        return { id, state, inputs };
    }
    throw new Error(`failed to read resource state due to unreachable cluster. ${HOW_TO_FORGET}`);
}
