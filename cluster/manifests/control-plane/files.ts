import { admissionConfiguration, admissionFile } from "../../admission";
import { type FileComponent, fileHolders, filesPath, optionOf, secretFilesPath } from "../../control-plane-files";
import type { LastingCredentials } from "../../keys/credentials";
import { contentHash, type Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { configMap, json, secret } from "../objects";
import { componentUsers, fromConfigMap, fromHost, fromSecret, type Mounted } from "../pod";
import { auditLogDirectory, auditPolicy, auditPolicyFile } from "./audit-log";
import { authenticationConfig, authenticationFile } from "./authentication";

/** Files of a component that are not secret, by name: Tradewind's own and the user's. Previews show their contents. */
export function plainFiles(cluster: Cluster, holder: FileComponent): Readonly<Record<string, string>> {
    const own = holder === "kube-apiserver" ? ownFiles(cluster) : {};
    return { ...own, ...optionsOf(cluster, holder).files };
}

function ownFiles(cluster: Cluster): Record<string, string> {
    const { admission, auditLog, jwt } = cluster;
    const plugins = admissionConfiguration(admission);
    return {
        ...(plugins && { [admissionFile]: json(plugins) }),
        ...(auditLog && { [auditPolicyFile]: json(auditPolicy) }),
        ...(jwt.length > 0 && { [authenticationFile]: json(authenticationConfig(jwt)) }),
    };
}

/** Secret files of a component, by name. */
export function secretFiles(
    cluster: Cluster,
    holder: FileComponent,
    credentials: Pick<LastingCredentials, "secretFiles">,
): Readonly<Record<string, string>> {
    const contents = credentials.secretFiles?.[optionOf(holder)] ?? {};
    return Object.fromEntries(
        optionsOf(cluster, holder).secretFiles.map((name) => [name, contents[name] ?? ""] as const),
    );
}

/** Directories of controllers that a component writes to. */
export function hostDirectories(cluster: Cluster, holder: FileComponent): readonly string[] {
    const own = holder === "kube-apiserver" && cluster.auditLog ? [auditLogDirectory] : [];
    return [...own, ...optionsOf(cluster, holder).hostDirectories];
}

/** A directory of the host that only root and the members of a group can access: those of a component. */
export interface HostDirectory {
    readonly path: string;
    readonly group: number;
}

/** Host directories of all components. */
export function allHostDirectories(cluster: Cluster): HostDirectory[] {
    return Object.values(fileHolders).flatMap((holder) =>
        hostDirectories(cluster, holder).map((path) => ({ path, group: componentUsers[holder] })),
    );
}

/** Name of the ConfigMap and the Secret with a component's files. */
const objectName = (holder: FileComponent) => `${holder}-files`;

/**
 * ConfigMaps with the components' files: in a Secret, previews would hide them. Mutable, so that previews show what
 * changes in them.
 */
export function filesConfigMaps(cluster: Cluster): Manifest[] {
    return Object.values(fileHolders).flatMap((holder) => {
        const files = plainFiles(cluster, holder);
        return isEmpty(files) ? [] : [configMap(objectName(holder), files)];
    });
}

/** The Secret with a component's secret files, if it has any. */
export function filesSecret(cluster: Cluster, holder: FileComponent, credentials: LastingCredentials): Manifest[] {
    const files = secretFiles(cluster, holder, credentials);
    return isEmpty(files) ? [] : [secret(objectName(holder), files)];
}

/** Changes with a component's files; undefined if it has none. */
export function filesDigest(
    cluster: Cluster,
    holder: FileComponent,
    credentials: LastingCredentials,
): string | undefined {
    const files = [plainFiles(cluster, holder), secretFiles(cluster, holder, credentials)];
    return files.every(isEmpty) ? undefined : contentHash(files);
}

/** A component's files and host directories in its pod. */
export function mountedFiles(cluster: Cluster, holder: FileComponent): Mounted[] {
    const hasFiles = !isEmpty(plainFiles(cluster, holder));
    const hasSecretFiles = optionsOf(cluster, holder).secretFiles.length > 0;
    const name = objectName(holder);
    // A missing directory is created by the checkpointer: one created by the kubelet would not be writable.
    const type = "Directory";
    return [
        ...(hasFiles ? [fromConfigMap("files", name, filesPath)] : []),
        ...(hasSecretFiles ? [fromSecret("secret-files", name, secretFilesPath)] : []),
        ...hostDirectories(cluster, holder).map((path, index) => fromHost(`directory-${index}`, path, {}, type)),
    ];
}

function optionsOf({ controlPlaneFiles }: Pick<Cluster, "controlPlaneFiles">, holder: FileComponent) {
    return controlPlaneFiles[optionOf(holder)];
}

function isEmpty(files: object): boolean {
    return Object.keys(files).length === 0;
}
