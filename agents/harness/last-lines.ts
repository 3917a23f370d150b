/**
 * For a machine's shell: of each unit that failed or has not come up, and of those that a start of a cluster depends on, its
 * state and the last lines of its journal; and of each container of the control plane the last lines of its log.
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
