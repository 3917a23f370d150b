import { roleCommand } from "../promote/command";

export const program = roleCommand(
    "demote",
    "Makes a controller a candidate again, and waits until nothing of a controller is left on it.",
    `Its pods stay. If fewer controllers are left than the stack has, another candidate takes over. The demoted node is not
chosen again until it is promoted by command. The last controller, and one without which etcd had no majority, stay.
Ctrl-C stops waiting; the cluster goes on.

Example:
  tradewind demote --stack prod prod-controller-1

See also tradewind promote.`,
);
