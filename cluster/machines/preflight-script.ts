/** What the script checks. */
interface Checks {
    /** File for the findings. */
    readonly result: string;
    /** Exists on a machine that is a node. */
    readonly client: string;
    /** @default - the cloud names it */
    readonly name?: string;
    /** Oldest version of the kernel. */
    readonly kernel: readonly [major: number, minor: number];
    readonly isFlannel: boolean;
    /** Whether its kubelet starts with version 1 of control groups only if a setting says so. */
    readonly refusesCgroupV1: boolean;
    /** MiB. */
    readonly memory: number;
    /** Directories with the kubelet's settings. */
    readonly settings: readonly string[];
    /** Directories, each with the MiB that must be free. */
    readonly space: readonly (readonly [path: string, mebibytes: number])[];
    /** Each as `6443/tcp kube-apiserver`. */
    readonly ports: readonly string[];
    /** When the CA was issued, in seconds since 1970. @default - unknown */
    readonly issued?: number;
    /** Files, each with what it is part of and where it is downloaded from. */
    readonly downloads: readonly (readonly [path: string, what: string, urls: readonly string[]])[];
    readonly registry: string;
    /** Whether the machine downloads its container runtime. */
    readonly fetchesRuntime: boolean;
}

/** Names that users can make warnings of, one per line; `all` is every one. */
const ignoredFile = "/etc/tradewind/preflight-ignored";

/** Files of clusters that other tools made. */
const leftovers = [
    ...["admin.conf", "kubelet.conf"].map((name) => `/etc/kubernetes/${name}`),
    ...["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"].map(
        (name) => `/etc/kubernetes/manifests/${name}.yaml`,
    ),
    "/var/lib/rancher",
    "/var/lib/k0s",
];

/** By how many seconds a clock may be behind: it is set soon after the boot. */
const clockSeconds = 600;

/** The lines of each check. Where it cannot be decided, such as without the program for it, it finds nothing. */
export function preflightScript(checks: Checks): string {
    const { result, client, name, kernel, isFlannel, memory, settings, space, ports, issued } = checks;
    return `#!/bin/sh
# preflight: everything that keeps this machine from becoming a node, all at once, in ${result}.
# Fails on errors; systemd repeats it. Names of errors in ${ignoredFile}, or "all", make warnings of them.
set -u
found=${result}
mkdir -p "\${found%/*}"
: >$found.new
# What runs on a node is the cluster's own.
if [ -e ${client} ]; then
    mv $found.new $found
    exit 0
fi
warning() { echo "warning $1: $2" >>$found.new; }
error() {
    if grep -qsxF -e "$1" -e all ${ignoredFile}; then warning "$1" "$2"; else echo "error $1: $2" >>$found.new; fi
}
# Path as part of a name: etc-kubernetes
named() { echo "\${1#/}" | tr / -; }

for program in awk curl grep ip sed sha256sum tar; do
    command -v "$program" >/dev/null || error "FileExisting-$program" "the program $program must be installed (got none)"
done
read -r release </proc/sys/kernel/osrelease
minor=\${release#*.}
if [ "\${release%%.*}" -lt ${kernel[0]} ] || { [ "\${release%%.*}" -eq ${kernel[0]} ] && [ "\${minor%%[!0-9]*}" -lt ${kernel[1]} ]; }; then
    error KernelVersion "the kernel must be ${kernel.join(".")} or newer (got $release)"
fi
for module in overlay nf_conntrack${isFlannel ? " br_netfilter vxlan" : ""}; do modprobe "$module" 2>/dev/null; done
grep -qw overlay /proc/filesystems || error KernelModule-overlay "the kernel must have the file system overlay (not in /proc/filesystems)"
[ -e /proc/sys/net/netfilter/nf_conntrack_max ] ||
    error KernelModule-nf_conntrack "the kernel must track connections (no /proc/sys/net/netfilter/nf_conntrack_max)"
${isFlannel ? flannel : ""}\
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    read -r controllers </sys/fs/cgroup/cgroup.controllers
else
    controllers=$(awk '$4 == 1 { printf "%s ", $1 }' /proc/cgroups)
${checks.refusesCgroupV1 ? cgroupV1(settings) : ""}fi
for controller in cpu cpuset memory; do
    case " $controllers " in *" $controller "*) ;; *) error "Cgroup-$controller" "the cgroup controller $controller must be enabled (got $controllers)" ;; esac
done
if [ "$(wc -l </proc/swaps)" -gt 1 ] && ! grep -rqsE '"?failSwapOn"?: *false' ${settings.join(" ")}; then
    error Swap "swap must be off (got $(awk 'NR > 1 { printf "%s%s", (NR > 2 ? ", " : ""), $1 }' /proc/swaps)): swapoff --all, and remove it from /etc/fstab"
fi
memory=$(awk '$1 == "MemTotal:" { print int($2 / 1024) }' /proc/meminfo)
[ "$memory" -ge ${memory} ] || error Mem "memory must be ${memory} MiB or more (got $memory)"

# space DIRECTORY MIB: writable, with room for files; the first error of a file system is enough.
full=
space() {
    at=$1 least=$2 name=$(named "$1")
    while [ ! -d "$at" ]; do at=\${at%/*} at=\${at:-/}; done
    if ! (: >"$at/.preflight") 2>/dev/null; then
        error "Writable-$name" "$1 must be writable (got no file in $at)"
        return
    fi
    rm "$at/.preflight"
    # From the columns of df: free and mount point, then all and free inodes; btrfs has 0, others have none.
    free=$(df -Pk "$at" | awk 'NR == 2 { print int($4 / 1024), $6 }')
    inodes=$(df -Pi "$at" | awk 'NR == 2 && $2 > 0 { print $4 }')
    mount=\${free#* } free=\${free%% *}
    case "$full" in *" $mount "*) return ;; esac
    if [ "\${free:-$least}" -lt "$least" ]; then
        error "DiskSpace-$name" "$least MiB or more must be free on $mount (got $free)"
    elif [ "\${inodes:-1000}" -lt 1000 ]; then
        error "Inodes-$name" "1000 inodes or more must be free on $mount (got $inodes)"
    else
        return
    fi
    full="$full $mount "
}
${space.map(([path, mebibytes]) => `space ${path} ${mebibytes}\n`).join("")}\

for leftover in ${leftovers.join(" ")}; do
    [ ! -e "$leftover" ] || error "FileAvailable-$(named "$leftover")" "$leftover must not exist: it belongs to another cluster (kubeadm reset, or a new machine)"
done
${name ? namedHost(name) : unnamedHost}\
${
    issued === undefined
        ? ""
        : `[ "$(date +%s)" -ge ${issued - clockSeconds} ] ||
    error Clock "the clock must be right (got $(date)): the cluster's CA was issued later, at ${new Date(issued * 1000).toISOString()}"
`
}\

# Ports that programs of others use. Without a program it is the kernel's own, as for VXLAN.
listeners=$(ss -Hlntup 2>/dev/null | sed -n 's/^\\([a-z]*\\) .*:\\([0-9]*\\) .*(("\\([^"]*\\)",pid=\\([0-9]*\\),.*/\\2\\/\\1 \\3 \\4/p')
while read -r port what; do
    echo "$listeners" | awk -v port="$port" 'NF && $1 == port { print $2, $3; exit }' | while read -r program pid; do
        # shellcheck disable=SC2015
        grep -qsE '/(tradewind|kubepods)|kubelet' "/proc/$pid/cgroup" ||
            error "Port-\${port%/*}" "port $port must be free for $what (got $program, process $pid)"
    done
done <<PORTS
${ports.join("\n")}
PORTS

# reach FILE WHAT URL...: whether anything answers, unless the file is there. A network may recover: no error.
reach() {
    [ ! -e "$1" ] || return
    what=$2 why=
    shift 2
    for url in "$@"; do
        why=$(curl -sS --head --output /dev/null --connect-timeout 5 --max-time 8 "$url" 2>&1) && return
    done
    warning Reachable "$what must be reachable at $(echo "$url" | sed 's#://[^/?]*@#://#; s#[?].*#?...#') (got $why)"
}
${checks.downloads.map(([path, what, urls]) => `reach ${path} '${what}' ${urls.map((url) => `'${url}'`).join(" ")} &\n`).join("")}\
# With a mirror, the registry itself need not be reached.
ls /etc/containerd/certs.d/*/hosts.toml >/dev/null 2>&1 || reach /none 'the registry of images' https://${checks.registry}/v2/ &
${checks.fetchesRuntime ? "" : runtime}\
wait

if ! cmp -s $found.new $found; then
    sed 's/^/tradewind: preflight /' $found.new
    [ -s $found.new ] || echo 'tradewind: preflight found nothing'
fi
mv $found.new $found
! grep -q '^error ' $found
`;
}

const cgroupV1 = (settings: readonly string[]) => `    grep -rqsE '"?failCgroupV1"?: *false' ${settings.join(" ")} ||
        error CgroupVersion "control groups must be version 2 (got 1): boot with systemd.unified_cgroup_hierarchy=1"
`;

const flannel = `[ -e /proc/sys/net/bridge/bridge-nf-call-iptables ] ||
    error KernelModule-br_netfilter "the kernel must filter packets of bridges (no /proc/sys/net/bridge/bridge-nf-call-iptables)"
if why=$(ip link add preflight type vxlan id 16777001 dstport 48472 2>&1); then
    ip link delete preflight
else
    error KernelModule-vxlan "the kernel must have VXLAN interfaces (got $why)"
fi
`;

const namedHost = (name: string) => `[ "$(uname -n)" = ${name} ] ||
    warning Hostname "the host name must be that of the node, ${name} (got $(uname -n))"
`;

const unnamedHost = `uname -n | tr '[:upper:]' '[:lower:]' | grep -qxE '[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?' && [ "$(uname -n)" != localhost ] ||
    error Hostname "the host name must be a DNS name of the cloud (got $(uname -n))"
`;

const runtime = `if ! command -v containerd >/dev/null; then
    error ContainerRuntime "containerd must be installed (got none): choose an image that has it, or with cloud-init the option downloads.containerRuntime"
else
    tries=0
    while state=$(systemctl is-active containerd.service); [ "$state" != active ] && [ "$tries" -lt 300 ]; do
        tries=$((tries + 1))
        sleep 0.2
    done
    [ "$state" = active ] ||
        error ContainerRuntime "containerd must run (got $state: $(journalctl --no-pager --quiet --lines 1 --output cat --unit containerd.service))"
fi
`;
