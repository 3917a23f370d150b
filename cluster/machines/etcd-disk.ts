import { type Config, config, directory, file, unit } from "../../ignition";
import { paths } from "../paths";

/** The disk with a controller's etcd data, which outlives the machine. */
export type EtcdDisk =
    /** Device path below `/dev/disk/by-id`, which no other disk can have. */
    | { readonly device: string }
    /** URL of a text with the device path, fetched when the machine first boots. */
    | { readonly source: string };

/** File with the device path. */
const diskFile = "/etc/tradewind/etcd-disk";

/** Exists while a file system is created on a blank disk. */
const formattingFile = "/var/lib/tradewind/etcd-disk-formatting";

/** The disk must be mounted before etcd's pod starts: with an empty directory it would start as a new member. */
export function etcdDisk(disk: EtcdDisk): Config {
    const said =
        "device" in disk
            ? file(diskFile, `${disk.device}\n`, { mode: 0o644 })
            : { path: diskFile, overwrite: true, mode: 0o644, contents: { source: disk.source } };
    return config({
        directories: [directory(paths.etcdData, { mode: 0o700 })],
        files: [said, file(`${paths.bin}/mount-etcd-disk`, script, { mode: 0o755 })],
        units: [unit("etcd-disk.service", { enabled: true, contents: service })],
    });
}

// Its own checks instead of fstab's: a disk may be attached minutes after boot, and must never be formatted by mistake.
const script = `#!/bin/sh
# Mounts the disk of etcd's data. It may be attached long after the boot; one that is blank gets a file system.
set -eu
target=${paths.etcdData}
formatting=${formattingFile}
read -r disk <${diskFile}
refuse() {
    echo "$disk must be blank or have an ext4 file system (got $1); leaving it unchanged" >&2
    exit 1
}

# Start over on a disk that was blank: after a power cut, its file system is incomplete even if it looks complete.
is_begun() { [ "$(cat "$formatting" 2>/dev/null)" = "$disk" ]; }
begin() {
    mkdir -p "\${formatting%/*}"
    echo "$disk" >"$formatting.new"
    sync "$formatting.new"
    mv "$formatting.new" "$formatting"
    sync "\${formatting%/*}"
}

# A disk that cannot be read is not blank.
beginning_of() { head --bytes=1048576 "$1" | sha256sum; }

[ -b "$disk" ] || echo "waiting for $disk to be attached"
until [ -b "$disk" ]; do sleep 1; done
[ "$(mountpoint -d "$target" 2>/dev/null)" != "$(mountpoint -x "$disk")" ] || exit 0

kind=$(blkid --probe --match-tag TYPE --output value "$disk") || [ $? = 2 ]
if ! is_begun && [ -z "$kind" ]; then
    [ "$(beginning_of "$disk")" = "$(beginning_of /dev/zero)" ] || refuse 'unknown data'
    begin
fi
if is_begun; then
    echo "creating a file system on the blank disk $disk"
    mkfs.ext4 -q -F -m 0 -L etcd "$disk"
    sync "$disk"
    rm "$formatting"
    sync "\${formatting%/*}"
elif [ "$kind" != ext4 ]; then
    refuse "$kind"
fi

e2fsck -p "$disk" || [ $? = 1 ]
mount -t ext4 -o noatime,nodev,nosuid,noexec "$disk" "$target"
chmod 0700 "$target"
# The disk may have grown.
resize2fs "$disk" || echo "could not grow the file system on $disk"
`;

const service = `[Unit]
Description=Mount the disk of etcd's data
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
TimeoutStartSec=infinity
# If this unit failed for good, the kubelet would never start.
ExecStart=/bin/sh -c 'until ${paths.bin}/mount-etcd-disk; do sleep 10; done'

[Install]
WantedBy=multi-user.target
RequiredBy=kubelet.service
`;
