import { ports } from "../../network/ports";

const port = ports.kubeApiserver;

/**
 * Lines of a script that name in `LISTEN`, as HAProxy reads it, the node's own address and each other one of the machine: the
 * kubelet tells the first alone, and on a cloud it is not the one by which the internet comes.
 *
 * Each by itself: among those of 0.0.0.0 are the loopback's, which are the apiservers'. From the kernel's tables, as the
 * image has no program that tells them. Of IPv6 those are left out that are no farther than the link, and those that the kernel
 * does not bind: that another machine may have, or has.
 */
export const listenByEveryAddress = `export LISTEN="$NODE_IP:${port}"
while read -r first second _; do
    case "$first $second" in
    '|-- '*) own=$second ;;
    '/32 host')
        case "$own,$LISTEN," in
        127.* | *",$own:${port},"*) ;;
        *) LISTEN="$LISTEN,$own:${port}" ;;
        esac
        ;;
    esac
done </proc/net/fib_trie
ipv6=/proc/net/if_inet6
if [ -e "$ipv6" ]; then
    while read -r hex _ _ scope flags _; do
        [ "$scope" = 00 ] && [ $((0x$flags & 0x48)) -eq 0 ] || continue
        own=
        while [ -n "$hex" ]; do
            rest=\${hex#????}
            own="$own:\${hex%"$rest"}"
            hex=$rest
        done
        LISTEN="$LISTEN,[\${own#:}]:${port}"
    done <"$ipv6"
fi
`;

/**
 * Checks of an apiserver that fail for a second whenever it starts: it looks for the default roles and the priority classes
 * before it can read, and again a second later. A cluster that ran before has them; one that begins waits for all checks
 * before it does anything else.
 */
const slowChecks = ["poststarthook/rbac/bootstrap-roles", "poststarthook/scheduling/bootstrap-system-priority-classes"];

/**
 * What an apiserver has to be ready for where nobody else serves: all the rest, that it knows the cluster's state among it.
 * kubeadm's serves before that, too.
 */
export const readyEnough = `readyz?${slowChecks.map((check) => `exclude=${check}`).join("&")}`;

/** Seconds that an apiserver serves on when it is told to end. */
export const shutdownDelaySeconds = 4;

/** Seconds that it then gives open watches to end by themselves. */
export const watchGraceSeconds = 5;
