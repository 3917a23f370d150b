/**
 * Shell commands for a worker: send packets for a controller's own address inside VXLAN, where no firewall sees them. They
 * print whether each port answered.
 *
 * @param gateway - the controller's address in the pod network
 */
export function byVxlan(controller: string, gateway: string, ports: readonly number[]): string {
    // Only what is bound to the link: the packets around them must take the usual way.
    return `set -e
trap 'ip rule del oif flannel.1 lookup 77 priority 50; ip route flush table 77' EXIT
ip route add ${controller}/32 via ${gateway} dev flannel.1 onlink table 77
ip rule add oif flannel.1 lookup 77 priority 50
for port in ${ports.join(" ")}; do
    # 7 and 28: nothing answered. Anything else: a server did, whatever it thinks of the request.
    code=0
    curl --silent --insecure --output /dev/null --max-time 3 --interface flannel.1 "https://${controller}:$port/" || code=$?
    case $code in 7 | 28) echo "$port refused" ;; *) echo "$port reached" ;; esac
done`;
}
