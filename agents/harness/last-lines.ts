/**
 * Shell script for a machine: state and last journal lines of each unit that failed or is still activating, and of
 * those that a cluster start depends on; and the last log lines of each control plane container.
 */
export const lastLinesScript = `
# systemctl has an order of its own.
state() { for property in ActiveState SubState Result; do systemctl show --property $property --value "$1"; done | xargs; }
amiss=$(systemctl list-units --state failed,activating --plain --no-legend --no-pager | cut -d ' ' -f 1 | grep -v '^bootstrap-[lr]')
for unit in $(printf '%s\\n' $amiss containerd.service kubelet.service bootstrap.service | awk '!seen[$0]++'); do
    echo "--- $unit: $(state "$unit")"
    journalctl --no-pager --quiet --lines 8 --output short-iso --unit "$unit"
done
for folder in /var/log/pods/kube-system_*/*/; do
    log=$(ls -t "$folder" 2>/dev/null | head -n 1)
    [ -n "$log" ] || continue
    echo "--- container $(basename "$folder") of $(basename "$(dirname "$folder")" | cut -d _ -f 2)"
    tail -n 3 "$folder$log"
done
true`;
