import { ApiClient } from "../../agents/common/api-client";
import { describeError } from "../../agents/common/api-error";
import { type ClusterAccess, credentialsOf } from "../cluster-access";

/** Throws if there is no API to recover from, with what to recover from instead. */
export async function requireApi({ connection }: Pick<ClusterAccess, "connection">): Promise<void> {
    if (connection === undefined) {
        throw new Error("there is no kubeconfig yet: use --from etcd");
    }
    try {
        await new ApiClient(connection.server, () => credentialsOf(connection), "tradewind-recover").call("/readyz");
    } catch (error) {
        throw new Error(
            `the API must answer for --from api, and does not (${describeError(error)}): use --from etcd, or --from snapshot`,
        );
    }
}
