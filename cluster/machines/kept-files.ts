import { type Config, config, file, unit } from "../../ignition";
import { launcher, paths } from "../paths";
import { type HostFile, hostFiles } from "./host-files";

/** Copies of files that programs need to start, in a directory of root's. */
export const keptFiles = "/var/lib/tradewind/kept";

const program = `${paths.bin}/keep-files`;

/** Last line of the program, by which a whole one is recognized: this file can be damaged, too. No comment, as those are left out. */
const end = ": the end";

/** Seconds between searches for changed files. */
const every = 60;

/** Directories whose contents are only checked after a boot, because containers that run need them. */
const containerdState = "/var/lib/containerd";
const cniState = "/var/lib/cni";

const of = (repair: HostFile["repair"]) => hostFiles.flatMap((each) => (each.repair === repair ? each.files : []));

/** Shell: `is_database` says whether `$file` is a whole database of etcd's or containerd's kind. */
export const databaseCheck = `# A database's first two pages name it, and the number of its pages: one of them must be right.
number() { od -An -v "-t$1" "-j$((start + $2))" "-N$3" "$file" 2>/dev/null | tr -d ' '; }
is_database() {
    for start in 0 4096 16384 65536; do
        [ "$(number x4 16 4)" != ed0cdaed ] || [ "$(($(number u4 24 4) * $(number u8 56 8)))" -gt "$(wc -c <"$file")" ] || return 0
    done
    return 1
}
`;

const script = `#!/bin/sh
# keep-files: keeps a copy of each file that this machine's programs need to start.
# keep-files restore: restores files that a power cut left empty, truncated or corrupt.
# keep-files damaged: lists such files.
set -u
umask 077
kept=${keptFiles}
booted=/run/keep-files
# Static pods of the checkpointer are rewritten at each boot.
list() { find -L ${of("copy").join(" ")} -type f ! -name 'checkpoint-*' -size -1024k 2>/dev/null; }
# each FUNCTION: calls it with $file and $copy.
each() { list | while read -r file; do copy=$kept$file "$1"; done; }
# The usual case, in three processes: every file equals its copy. In spite of --status, uutils' prints missing files.
is_same() { sha256sum --check --status $kept/sums >/dev/null 2>&1 && [ "$(wc -l <$kept/sums)" = "$(list | wc -l)" ]; }
count() { tr -cd "$1" <"$2" | wc -c; }
lines() { grep -ac -- "$1" "$2"; }
is_text() { [ -s "$1" ] && [ "$(count '\\1-\\10\\16-\\37\\177\\0' "$1")" = 0 ]; }
is_json() { is_text "$1" && [ "$(head -c 1 "$1")" = '{' ] && [ "$(count '{' "$1")" = "$(count '}' "$1")" ]; }
is_pem() { is_text "$1" && [ "$(lines -----BEGIN "$1")" -gt 0 ] && [ "$(lines -----BEGIN "$1")" = "$(lines '-----END .*-----$' "$1")" ]; }
is_whole() {
    case $file in
    */kubelet-*.pem) is_pem "$1" && grep -q 'END CERT' "$1" && grep -q 'END .*KEY' "$1" ;;
    *.pem | *.crt | *.key) is_pem "$1" ;;
    *.json) is_json "$1" ;;
    *) is_text "$1" ;;
    esac
}
# A truncated file is a prefix of its copy. So is a CA bundle after a CA was removed, so it is not compared after boot.
is_cut() {
    case $file in *.crt) [ ! -e $booted ] || return ;; esac
    [ "$(wc -c <"$file")" -lt "$(wc -c <"$copy")" ] && head -c "$(wc -c <"$file")" "$copy" | cmp -s - "$file"
}
is_damaged() { ! cmp -s "$file" "$copy" && { ! is_whole "$file" || { [ -e "$copy" ] && is_cut; }; }; }
keep() {
    if cmp -s "$file" "$copy"; then echo "$file" && return; fi
    is_whole "$file" && mkdir -p "\${copy%/*}" || return
    cp -p "$file" "$copy.new" && sync "$copy.new" && mv "$copy.new" "$copy" && echo "$file"
}
keep_all() {
    mkdir -p $kept
    each keep | xargs -d '\\n' sha256sum >$kept/sums.new && sync $kept/sums.new && mv $kept/sums.new $kept/sums
}
damaged() { ! is_damaged || echo "$file"; }
say() { echo "keep-files: $file $1" >&2; }
remove() { say "is damaged: removed" && rm -rf "$@"; }
restore() {
    is_damaged || return 0
    if [ -e "$copy" ] && is_whole "$copy"; then
        say "was damaged: restored"
        # In place, to keep links, owner and SELinux label.
        cat "$copy" >"$file" && sync "$file"
    else
        say "is damaged and has no copy"
        # Without a certificate, the kubelet requests one with its token; with half a certificate, it does not start.
        case $file in ${paths.kubeletPki}/kubelet-*.pem | ${paths.kubeconfig}) remove "$file" ;; esac
    fi
    case $file in
    /etc/hostname) hostname -F "$file" ;;
    /etc/systemd/system/*) file=\${file#/etc/systemd/system/} && echo "\${file%%.d/*}" ;;
    /etc/sysctl.d/* | /etc/modules-load.d/*) systemctl restart systemd-modules-load systemd-sysctl ;;
    /etc/systemd/network*) networkctl reload || true ;;
    esac
}
# Start units only once every file is restored: a failing unit also fails those that require it.
restore_all() {
    units=$(each restore | sort -u)
    [ -n "$units" ] || return 0
    systemctl daemon-reload
    # It was not started if a unit that it requires failed.
    for unit in $(printf '%s\\n' "$units" kubelet.service | sort -u); do
        [ "$(systemctl is-enabled "$unit" 2>/dev/null)" != enabled ] || systemctl start --no-block "$unit"
    done
}
${databaseCheck}# What is written again and no running container needs: none runs right after a boot.
check_state() {
    for file in ${of("kubelet").join(" ")}; do
        [ ! -e "$file" ] || is_json "$file" || remove "$file"
    done
    # A CNI plugin that cannot read its state never deletes a container's network; its address stays reserved.
    { grep -raLE '^[{].*[}]$' ${cniState}/results ${cniState}/flannel
        find ${cniState}/networks -type f ! -name 'last_*' ! -name lock -exec grep -aLE '^[0-9a-f]{64}' {} +; } 2>/dev/null |
        while read -r file; do remove "$file"; done
    # containerd then starts empty and pulls images again.
    for file in ${of("containerd").join(" ")}; do
        [ ! -e "$file" ] || is_database || remove ${containerdState}/*
    done
}
case \${1:-keep} in
keep) while :; do is_same || keep_all; sleep ${every}; done ;;
damaged) is_same || each damaged ;;
restore)
    # Nothing is damaged on first boot.
    [ ! -d $kept ] || is_same || restore_all
    [ -e $booted ] || check_state
    : >$booted
    ;;
esac
${end}
`;

/** Shell: runs the program, or its copy, and nothing if both are damaged. */
const whole = (argument: string, dollar = "$") =>
    `for program in ${program} ${keptFiles}${program}; do ` +
    `if tail -n 1 ${dollar}program 2>/dev/null | grep -qxF "${end}"; then /bin/sh ${dollar}program ${argument}; break; fi; done`;

/** Shell: prints the damaged files of a machine, one per line. */
export const damagedFiles = whole("damaged");

/** Directive of a unit whose program needs such files: restores them, by the program or by its copy. */
export const restoreFiles = `ExecStartPre=-/bin/sh -c '${whole("restore", "$$")}'\n`;

const service = `[Unit]
Description=Keep copies of files that a power cut may damage
Before=containerd.service container-runtime.service node-routes.service cni-plugins.service checkpoints.service kubelet.service

[Service]
${restoreFiles}ExecStart=${launcher} ${program}
TimeoutStartSec=infinity
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

/**
 * Keeps a copy of each small file that programs of the machine need to start, and restores it when the machine boots and
 * before the kubelet starts. It needs nothing but a shell: no network, no container, no other machine.
 */
export function keepFiles(): Config {
    return config({
        files: [file(program, script, { mode: 0o755 })],
        units: [unit("keep-files.service", { enabled: true, contents: service })],
    });
}
