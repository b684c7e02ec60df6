#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors

# Connects eth0 and eth1 of a guest of the lab. The delay of each packet to eth1 is uniform, from 0 to $1 milliseconds.
# With `in-order` as $2 no packet overtakes another one. Ends with the guest.

set -e
modprobe -a bridge sch_netem
ip link add bridge type bridge
for interface in eth0 eth1; do
    ip link set "$interface" master bridge up
done
# With a bit rate, netem sends each packet after the one before it.
if [ "$2" = in-order ]; then
    rate="rate 1gbit"
fi
half=$(($1 / 2))
tc qdisc add dev eth1 root netem delay "${half}ms" "${half}ms" limit 10000 ${rate:-}
ip link set bridge up
echo ready
exec tail -f /dev/null
