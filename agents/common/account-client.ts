import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "./api-client";

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The API as the pod's service account, whose token the kubelet renews. */
export function accountClient(url: string, userAgent: string, directory = account): ApiClient {
    const read = (name: string) => readFileSync(join(directory, name), "utf8");
    return new ApiClient(url, () => ({ ca: read("ca.crt"), token: read("token") }), userAgent);
}
