import { describeBareMachine } from "./bare-machine";
import { describeLikeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("fedora-coreos", systems["fedora-coreos"]);
describeLikeCluster("fedora-coreos", systems["fedora-coreos"], { os: "ignition", isLong: true });
