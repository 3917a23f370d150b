import { hostFiles } from "../../../cluster/machines/host-files";
import type { TestCluster } from "../cluster";

/** What a power cut may leave of a file that was written shortly before, as shell for `$file` of `$size` bytes. */
export const damages = {
    emptied: ': >"$file"',
    "cut in half": 'truncate -s $((size / 2)) "$file"',
    "filled with noise": 'head -c "$size" /dev/urandom >"$file"',
} as const;

export type Damage = keyof typeof damages;

const keeper = "/etc/systemd/system/keep-files.service";
const patterns = (...repairs: string[]) =>
    hostFiles.filter(({ repair }) => repairs.includes(repair)).flatMap(({ files }) => files);

/** Files that are damaged in one boot: one round would not show that files of another are restored by themselves. */
export const rounds: Readonly<Record<string, { readonly files: readonly string[]; readonly except?: string }>> = {
    "every file with a copy, but the unit that restores them": { files: patterns("copy"), except: keeper },
    "that unit, programs, and the state of kubelet and CNI plugins": {
        files: [keeper, ...patterns("check", "kubelet", "boot")],
    },
    "containerd's databases": { files: patterns("containerd") },
};

/** Damages every file of a round on a machine. Returns their paths. */
export async function damageFiles(
    cluster: TestCluster,
    machine: string,
    { files, except = "" }: (typeof rounds)[string],
    damage: Damage,
): Promise<string[]> {
    // Links are followed, and each file is written once. What snippets and the OS added is not the cluster's.
    const output = await cluster.exec(
        machine,
        `for path in ${files.join(" ")}; do [ ! -f "$path" ] || readlink -f "$path"; done | sort -u | grep -vxF '${except || "-"}' |
            while read -r file; do
                case $file in /usr/* | */checkpoint-*) continue ;; esac
                # In place, a program that runs cannot be written to.
                path=$file file=$file.damaged
                cp -p "$path" "$file"
                size=$(wc -c <"$file")
                ${damages[damage]}
                mv "$file" "$path"
                echo "$path"
            done`,
    );
    return output.trim().split("\n").filter(Boolean);
}
