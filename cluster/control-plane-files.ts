import type { ComponentFileOptions, ControlPlaneFileOptions, ControlPlaneSecretFiles } from "./options";
import { invalid, mustNot } from "./validate";

/** Components that can have files, with the options that are named after them. */
export const fileHolders = {
    kubeApiserver: "kube-apiserver",
    kubeControllerManager: "kube-controller-manager",
    kubeScheduler: "kube-scheduler",
} as const;

export type FileHolder = keyof typeof fileHolders;
export type FileComponent = (typeof fileHolders)[FileHolder];

/** The option that is named after a component, in `controlPlaneFiles`, `components` and `images`. */
export function optionOf(component: FileComponent): FileHolder {
    return holders.find((option) => fileHolders[option] === component)!;
}

/** Files and directories that the user adds to the control plane's pods. */
export type ControlPlaneFiles = Readonly<Record<FileHolder, Readonly<Required<ComponentFileOptions>>>>;

/** Directory of the files in the pods. */
export const filesPath = "/etc/kubernetes/files";

/** Directory of the secret files in the pods. */
export const secretFilesPath = "/etc/kubernetes/secret-files";

/** Prefix of Tradewind's own files in `filesPath`. */
export const ownPrefix = "tradewind-";

/** Maximum bytes of a component's files: those of an object in the API, with room for its other fields. */
const maxBytes = 1_000_000;

const holders = Object.keys(fileHolders) as FileHolder[];

/** Validates the files. */
export function resolveControlPlaneFiles(options: ControlPlaneFileOptions): ControlPlaneFiles {
    requireHolders("controlPlaneFiles", options);
    const resolved = Object.fromEntries(
        holders.map((holder) => [holder, resolveFiles(`controlPlaneFiles.${holder}`, options[holder] ?? {})]),
    ) as ControlPlaneFiles;
    const directories = holders.flatMap((holder) => resolved[holder].hostDirectories);
    const again = directories.find((path, index) => directories.indexOf(path) < index);
    if (again !== undefined) throw mustNot("controlPlaneFiles", "list a host directory twice", again);
    return resolved;
}

function resolveFiles(option: string, options: ComponentFileOptions): Required<ComponentFileOptions> {
    const { files = {}, secretFiles = [], hostDirectories = [], ...others } = options;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) {
        throw invalid(`a key of ${option}`, "files, secretFiles or hostDirectories", unknown);
    }
    for (const [name, content] of Object.entries(files)) {
        requireFileName(`a key of ${option}.files`, name);
        if (name.startsWith(ownPrefix)) {
            throw mustNot(`a key of ${option}.files`, `begin with ${ownPrefix}`, name);
        }
        if (typeof content !== "string") throw invalid(`${option}.files.${name}`, "text", content);
    }
    for (const name of secretFiles) requireFileName(`${option}.secretFiles`, name);
    for (const path of hostDirectories) requireHostDirectory(`${option}.hostDirectories`, path);
    requireSize(`${option}.files`, files);
    return { files, secretFiles, hostDirectories };
}

function requireHolders(option: string, options: object): void {
    const unknown = Object.keys(options).find((key) => !holders.includes(key as FileHolder));
    if (unknown !== undefined) throw invalid(`a key of ${option}`, holders.join(", "), unknown);
}

/** Names that ConfigMaps and Secrets can have as keys and file systems as names. */
function requireFileName(option: string, name: string): void {
    if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,251}$/.test(name)) {
        throw invalid(option, "a file name of letters, digits, -, _ and ., not starting with a dot", name);
    }
}

/**
 * A directory of its own, because its owner and mode change: nothing that the OS, Kubernetes or Tradewind uses.
 */
function requireHostDirectory(option: string, path: string): void {
    const [, name = ""] = /^\/(?:var\/(?:log|lib|run)|run)\/([A-Za-z0-9_-][A-Za-z0-9._/-]*)$/.exec(path) ?? [];
    const parts = name.split("/");
    const isClean = parts.every((part) => part !== "" && part !== "." && part !== "..");
    if (!isClean || taken.includes(parts[0]!)) {
        throw invalid(option, "a directory of your own below /var/log, /var/lib or /run", path);
    }
}

const taken = [
    ...["cni", "containerd", "containers", "etcd", "kubelet", "kubernetes", "netns", "pods", "tradewind"],
    ...["dbus", "journal", "lock", "private", "sshd", "systemd", "udev", "user", "xtables.lock"],
];

function requireSize(option: string, files: Readonly<Record<string, string>>): void {
    const bytes = Object.entries(files).reduce(
        (sum, [name, content]) => sum + Buffer.byteLength(name) + Buffer.byteLength(content),
        0,
    );
    if (bytes > maxBytes) throw invalid(option, `at most ${maxBytes} bytes in total`, `${bytes} bytes`);
}

/**
 * Checks the contents of the secret files against the names in the options, which must be known at preview.
 *
 * @throws without a file's content
 */
export function requireSecretFiles(
    desired: ControlPlaneFiles,
    contents: ControlPlaneSecretFiles = {},
): ControlPlaneSecretFiles {
    requireHolders("controlPlaneSecretFiles", contents);
    for (const holder of holders) {
        const option = `controlPlaneSecretFiles.${holder}`;
        const { secretFiles } = desired[holder];
        const given = contents[holder] ?? {};
        const surplus = Object.keys(given).find((name) => !secretFiles.includes(name));
        if (surplus !== undefined) {
            throw invalid(`a key of ${option}`, `one of controlPlaneFiles.${holder}.secretFiles`, surplus);
        }
        for (const name of secretFiles) {
            if (typeof given[name] !== "string") {
                throw invalid(`${option}.${name}`, "text, because controlPlaneFiles names it", typeof given[name]);
            }
        }
        requireSize(option, given);
    }
    return contents;
}

/** Paths of a component's files in its pods, those that are not secret first. */
export function filePaths(files: ControlPlaneFiles, holder: FileHolder): string[] {
    const { files: plain, secretFiles } = files[holder];
    return [
        ...Object.keys(plain).map((name) => `${filesPath}/${name}`),
        ...secretFiles.map((name) => `${secretFilesPath}/${name}`),
    ];
}
