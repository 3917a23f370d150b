import * as pulumi from "@pulumi/pulumi";
import { requireLogHeaders } from "../../cluster/logs";
import { logCollector } from "../../cluster/manifests/addons/log-collector";
import type { LogHeaders } from "../../cluster/options";
import { type InClusterAfter, inCluster, rollout } from "./kubernetes-object";
import { putIssued } from "./metrics";

interface LogCollectorArgs extends InClusterAfter {
    /** HTTP headers for the server. @default none */
    readonly logHeaders?: pulumi.Input<LogHeaders>;
}

/** Sends logs of the control plane to a server: docs/logs.md. */
export const LogCollector = inCluster(
    "tradewind:index:LogCollector",
    ({ cluster, logHeaders, after }: LogCollectorArgs, put) => {
        const headers = pulumi.secret(pulumi.output(logHeaders).apply((each) => requireLogHeaders(cluster.logs, each)));
        const manifests = headers.apply((each) => logCollector(cluster, each));
        putIssued(put, logCollector(cluster), manifests, rollout(cluster), after);
    },
);
