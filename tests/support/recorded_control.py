"""A control that remembers what was wanted."""

from kotp2p.seams import commands

WORDS = {
    commands.StartGame: "start", commands.AddBot: "bot", commands.ChangeName: "name",
    commands.ChangeMonster: "monster", commands.MarkReady: "ready", commands.NewCode: "code",
    commands.OpenSeats: "open", commands.AcceptKey: "accept", commands.RemovePlayer: "remove",
    commands.MovePlayer: "move", commands.LeaveTable: "leave", commands.KeepSeat: "keep",
    commands.Say: "say", commands.GoOn: "go on", commands.StopToday: "stop",
    commands.LetBotPlay: "bot plays", commands.ComeBack: "back", commands.LetBack: "let back",
}  # fmt: skip


class Orders:
    """A control that remembers what it was told."""

    def __init__(self) -> None:
        self.given: list[tuple[object, ...]] = []

    def __call__(self, command: commands.Command) -> None:
        fields = (getattr(command, name) for name in command.__slots__)
        self.given.append((WORDS[type(command)], *fields))
