import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../../cache";
import { versions } from "../../../versions";

/**
 * Path of a real program that a test runs, from the cache, or from the folders in `TRADEWIND_TEST_BIN` (separated by
 * colons).
 */
export function binary(
    name:
        | "etcd"
        | "kube-apiserver"
        | "kube-controller-manager"
        | "pulumi"
        | "etcdutl"
        | "versitygw"
        | "aws-cloud-controller-manager"
        | "ecr-credential-provider",
): string {
    if (name === "aws-cloud-controller-manager") {
        return cached(name, "aws-cloud-controller", versions.awsCloudController);
    }
    if (name === "ecr-credential-provider") return cached(name, name, versions.ecrCredentialProvider);
    const part = partOf(name);
    return cached(name, part, versions[part]);
}

/** A program of a given version of Kubernetes. */
export function kubernetesBinary(name: "kube-apiserver" | "kube-controller-manager", version: string): string {
    return cached(name, "kubernetes", version);
}

/** etcd of a given version. */
export function etcdBinary(version: string): string {
    return cached("etcd", "etcd", version);
}

function cached(name: string, part: string, version: string): string {
    const folders = (process.env.TRADEWIND_TEST_BIN ?? "").split(":").filter(Boolean);
    const paths = [...folders, join(cacheDir(), "bin", part, version)].map((folder) => join(folder, name));
    const found = paths.find(existsSync);
    if (!found)
        throw new Error(`${name} must be in the cache, not at ${paths.join(", ")}: run npm run artifacts -- fill`);
    return found;
}

function partOf(name: string): "etcd" | "pulumi" | "versitygw" | "kubernetes" {
    switch (name) {
        case "etcd":
        case "etcdutl":
            return "etcd";
        case "pulumi":
        case "versitygw":
            return name;
        default:
            return "kubernetes";
    }
}
