// Shell of `machines/disks.ts`. What is run where a cluster's disks are has the disk's path first: `file`.

/** Before each of those. */
export const common = `file=$1
device_of() { losetup --associated "$1" --noheadings --output NAME; }
know() { [ -e "$1" ] || mknod "$1" b 7 "\${1#/dev/loop}"; }
[ -e /dev/loop-control ] || mknod /dev/loop-control c 10 237
# Who has what is asked of the devices themselves.
for block in /sys/block/loop*; do know "/dev/\${block##*/}"; done
`;

export const attachScript = `[ -e "$file" ] || truncate --size "$2G" "$file"
device=$(device_of "$file")
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -z "$device" ] || break
    # Somebody else may take the same one.
    free=$(losetup --find)
    know "$free"
    losetup "$free" "$file" && device=$free
done
echo "$device"
`;

const release = `device=$(device_of "$1")
[ -z "$device" ] || losetup --detach "$device"
`;
export const detachScript = release;

/** Every process' mounts are looked at, pods' too. */
export const unplugScript = `[ -e "$1" ] || exit 0
number=$(sed -n 's/^b+ .* //p' "$1")
if [ -z "$2" ] && grep -qs " $number /" /proc/[0-9]*/mountinfo; then echo "it is mounted" >&2; exit 16; fi
cut -d' ' -f2 "$1" | xargs rm -f
rm "$1"
`;

export const growScript = `truncate --size "$2G" "$file"
device=$(device_of "$file")
[ -z "$device" ] || losetup --set-capacity "$device"
`;

export const destroyScript = `[ ! -e "$file" ] || { ${release} rm "$file"; }
[ -n "$(ls "\${file%/*}")" ] || echo 'was the last one'
`;

export const destroyAllScript = `for each in $file; do
    set -- "$each"
    [ ! -e "$1" ] || { ${release} }
done
`;
