import { docker } from "./docker";

/**
 * Of each unit that failed, and of those that a start of a cluster depends on: its state and the last lines of its journal;
 * and of each container of the control plane the last lines of its log.
 */
export const script = `
failed=$(systemctl list-units --state failed --plain --no-legend --no-pager | cut -d ' ' -f 1)
for unit in $(printf '%s\\n' $failed containerd.service kubelet.service bootstrap.service | awk '!seen[$0]++'); do
    echo "--- $unit: $(systemctl show --property ActiveState --property SubState --property Result --value "$unit" | xargs)"
    journalctl --no-pager --quiet --lines 8 --output short-iso --unit "$unit"
done
for folder in /var/log/pods/kube-system_*/*/; do
    log=$(ls -t "$folder" 2>/dev/null | head -n 1)
    [ -n "$log" ] || continue
    echo "--- container $(basename "$folder") of $(basename "$(dirname "$folder")" | cut -d _ -f 2)"
    tail -n 3 "$folder$log"
done
true`;

/** What a machine that does not get on has to tell, for the error of an `up`. */
export async function lastLines(container: string): Promise<string> {
    return docker(["exec", container, "sh", "-c", script], { timeout: 30_000 }).catch(
        (error: Error) => `no journal: ${error.message}`,
    );
}
